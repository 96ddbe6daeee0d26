"""How far to trust a map of rows."""
