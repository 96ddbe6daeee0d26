"""UMAP: a graph of fuzzy memberships in neighbourhoods, and its layout in few dimensions."""
