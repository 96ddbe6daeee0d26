"""Layers of networks, each a value: shapes, weights, forward and backward."""
