"""Scores of predicted numbers."""
