"""Pictures of clusterings, hierarchies and mixtures."""
