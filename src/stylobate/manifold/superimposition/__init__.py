"""One configuration of points moved onto another."""
