"""Language models behind one narrow protocol; the only package that imports `openai`."""
