"""Scores of rankings."""
