"""Pictures of the columns of a table."""
