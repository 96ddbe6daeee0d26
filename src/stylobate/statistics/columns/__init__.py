"""What one pass, or a few, tell about columns."""
