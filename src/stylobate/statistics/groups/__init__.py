"""Statistics of the rows of each class or group."""
