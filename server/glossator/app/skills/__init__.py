"""Skills as turns use them: files on the disk, what is active, the tool, the listing."""
