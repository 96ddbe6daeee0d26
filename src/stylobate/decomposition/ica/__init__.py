"""Independent components: separating mixed signals."""
