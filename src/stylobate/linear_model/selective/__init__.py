"""Intervals that stay honest although the data chose the columns."""
