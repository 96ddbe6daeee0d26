"""What one step of an iteration needs of the rows."""
