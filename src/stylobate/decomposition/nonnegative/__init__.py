"""Non-negative tables as products of two non-negative factors."""
