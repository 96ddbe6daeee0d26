"""Pictures of neural networks and of what their layers see."""
