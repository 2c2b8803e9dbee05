"""Texts that are made in English where no reader is known, and their Chinese."""
