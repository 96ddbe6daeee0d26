"""Kernel support vector machines as estimators."""
