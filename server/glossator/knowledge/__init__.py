"""The team's Markdown knowledge: sections, words, TF-IDF index, routing. Pure."""
