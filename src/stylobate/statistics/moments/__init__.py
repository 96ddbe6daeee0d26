"""Moments and what is computed from them."""
