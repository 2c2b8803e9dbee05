"""The agent: one loop, its prompt and its limits."""
