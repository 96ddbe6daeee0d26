"""Pictures of regressors: coefficients, residuals, level sets."""
