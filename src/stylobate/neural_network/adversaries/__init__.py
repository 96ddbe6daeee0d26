"""Adversaries: attacks on networks, training against them, and how much they change."""
