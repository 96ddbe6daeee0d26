"""Scores of labels and probabilities."""
