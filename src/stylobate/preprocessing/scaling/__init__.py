"""Scalers and powers: one column, one function."""
