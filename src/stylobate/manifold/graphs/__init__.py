"""Coordinates of rows from the graph of their neighbours."""
