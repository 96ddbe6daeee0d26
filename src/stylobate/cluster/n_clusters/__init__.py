"""How many clusters: evidence by several criteria, a choice, and how sure it is."""
