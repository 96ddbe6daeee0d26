"""Scorers, and what ``scoring=`` may be."""
