"""Why: what of the team's files a turn would use for a file and a question, and for what reason."""
