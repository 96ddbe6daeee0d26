"""Sketches and samples: bounded memory, stated errors."""
