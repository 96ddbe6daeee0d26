"""Curves over thresholds, and areas under them."""
