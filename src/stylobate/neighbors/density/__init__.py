"""Densities from neighbours and boxes."""
