"""Intervals of metrics: exact or analytic where known, from resampled rows otherwise."""
