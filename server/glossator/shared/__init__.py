"""An index that a team shares, in PostgreSQL with pgvector."""
