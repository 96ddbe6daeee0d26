"""Pictures of fewer dimensions."""
