"""Replay: a recorded turn is run again without a model."""
