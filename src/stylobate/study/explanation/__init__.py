"""The chosen model: final fit, coefficients, learning curve, explanation."""
