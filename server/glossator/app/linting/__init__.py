"""Linting as a use case: which files are judged, in which words, and how they are repaired."""
