"""Subcommands of the command line: each module has its parser and what it shows."""
