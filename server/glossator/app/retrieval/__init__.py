"""Finding what a question needs: by words, by meaning and in the team's shared index, joined."""
