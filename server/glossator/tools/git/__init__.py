"""What a Git repository holds, read from its files: nothing of it is run, configured or fetched."""
