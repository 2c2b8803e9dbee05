"""Figures: what was recorded, added up, as values, tables and one page."""
