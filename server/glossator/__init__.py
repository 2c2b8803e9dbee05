"""Glossator: a language server that explains code, answers questions and checks conventions."""

__version__ = "0.1.0"
