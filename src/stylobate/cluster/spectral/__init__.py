"""Spectral clustering: graphs of rows, their Laplacians, cuts and eigenvectors."""
