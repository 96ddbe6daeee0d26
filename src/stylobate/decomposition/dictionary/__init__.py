"""Sparse codes, and the dictionaries they are written in."""
