"""Factor analysis: what columns share, and the noise of each."""
