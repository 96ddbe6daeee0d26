"""Penalties of groups of columns."""
