"""The record of every turn, fed with events."""
