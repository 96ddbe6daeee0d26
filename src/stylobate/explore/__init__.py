"""Looking at a table before modelling it."""
