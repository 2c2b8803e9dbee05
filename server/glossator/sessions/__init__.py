"""Conversations that outlive the process: one SQLite file for each workspace."""
