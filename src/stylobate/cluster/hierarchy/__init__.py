"""Hierarchies of clusters: how they are built, cut, compared and judged."""
