"""Ordinary least squares, and the choice of a method for it."""
