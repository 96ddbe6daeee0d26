"""Summaries of one column: numbers, values, moments in time, texts."""
