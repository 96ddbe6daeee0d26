"""Pictures of decisions and their scores."""
