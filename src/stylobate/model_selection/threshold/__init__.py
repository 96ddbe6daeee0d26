"""Classifiers of two classes with a threshold that is chosen."""
