"""Logistic regression: request, solution, summary, cross-validation."""
