"""Checking documents: compiled checks, judged rules, suppressions, fixes, reports."""
