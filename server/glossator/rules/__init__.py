"""Conventions that can be checked: parsed from Markdown, matched with ast-grep. Pure."""
