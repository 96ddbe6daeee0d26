"""Dates, times of day and coordinates as numbers."""
