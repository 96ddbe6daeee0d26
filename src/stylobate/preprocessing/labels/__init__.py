"""Labels as numbers, and back."""
