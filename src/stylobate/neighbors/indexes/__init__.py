"""Indexes that find neighbours."""
