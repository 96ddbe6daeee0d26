"""Covariances of coefficients."""
