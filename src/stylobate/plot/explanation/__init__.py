"""Pictures of what a model relies on."""
