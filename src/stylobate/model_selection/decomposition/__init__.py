"""The decomposition of a model's error into bias, variance and noise."""
