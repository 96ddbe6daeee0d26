"""Gradient boosting of trees grown from histograms."""
