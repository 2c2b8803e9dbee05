"""What the editor's other language servers say: the port, one turn's questions, and the merging."""
