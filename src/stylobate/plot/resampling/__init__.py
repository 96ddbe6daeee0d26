"""Pictures of splits, and of scores over them."""
