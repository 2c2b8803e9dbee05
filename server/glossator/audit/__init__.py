"""The record of every step, fed with events."""
