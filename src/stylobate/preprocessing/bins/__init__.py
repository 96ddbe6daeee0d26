"""Numbers as bins."""
