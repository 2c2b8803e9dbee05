"""Use cases: one async function each, no protocol types."""
