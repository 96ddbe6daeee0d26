"""Studies of several tables: what is looked up, aggregated and worth it."""
