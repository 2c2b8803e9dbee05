"""Values that every layer shares: no input or output, nothing of ours imported from elsewhere."""
