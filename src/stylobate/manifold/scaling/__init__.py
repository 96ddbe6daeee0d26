"""Multidimensional scaling: points whose distances are given dissimilarities."""
