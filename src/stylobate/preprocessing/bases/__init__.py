"""Bases: polynomials, splines, radial functions."""
