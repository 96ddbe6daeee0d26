"""Models compared on the same splits."""
