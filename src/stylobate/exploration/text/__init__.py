"""Profiles as text for the terminal."""
