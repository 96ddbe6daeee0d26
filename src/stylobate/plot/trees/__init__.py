"""Pictures of decision trees."""
