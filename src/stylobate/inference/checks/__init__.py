"""Checks of a fit: collinearity, influence, assumptions."""
