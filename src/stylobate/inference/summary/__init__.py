"""Summaries as data, text and HTML."""
