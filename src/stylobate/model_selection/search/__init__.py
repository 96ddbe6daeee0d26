"""Searches for the best parameters."""
