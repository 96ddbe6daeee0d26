"""Pictures of classifiers in the plane, and of their paths."""
