"""Dismissed findings: by a comment in the file or an entry of the baseline, until either lapses.

Pure.
"""
