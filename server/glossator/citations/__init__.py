"""`path:line` in answers: found, and judged against the text the model saw. Pure."""
