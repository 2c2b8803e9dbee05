"""The rules as people work on them: list them, prove them, turn prose into checks."""
