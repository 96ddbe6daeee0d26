"""Tests between fits, p-values of several, power."""
