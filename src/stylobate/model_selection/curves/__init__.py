"""Learning curves and validation curves, and what they advise."""
