"""Kernel matrices as the solvers see them."""
