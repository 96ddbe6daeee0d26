"""Clusters as places where rows lie densely: DBSCAN, OPTICS, HDBSCAN, mean shift."""
