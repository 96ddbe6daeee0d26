"""Robust regression: quantiles, least absolute deviations, Huber's loss."""
