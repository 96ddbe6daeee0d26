"""Regressors that outliers hardly move: Huber, least absolute deviations, quantiles."""
