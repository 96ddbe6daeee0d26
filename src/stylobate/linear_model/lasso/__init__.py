"""The lasso and the elastic net: one target or several, paths, cross-validation."""
