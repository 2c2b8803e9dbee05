"""Analyse a package or a change: its facts, its parts, and the report on them."""
