"""Generalised linear models of counts and positive amounts."""
