"""Clusters about rows of the table: medoids and centres under any dissimilarity."""
