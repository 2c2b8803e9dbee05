"""The agent: one loop on one page, its prompt, its window on the conversation and its limits.

It knows a model only as `ChatModel` and the world only through a `Toolbox`.
"""
