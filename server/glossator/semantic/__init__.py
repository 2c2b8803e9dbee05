"""Finding by meaning: vectors of texts and their cache."""
