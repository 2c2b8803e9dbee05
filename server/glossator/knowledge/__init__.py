"""The team's Markdown knowledge: sections, words, their weighted index, routing. Pure."""
