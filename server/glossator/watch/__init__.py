"""Changes of files, batched; the only package that imports watchdog."""
