"""Linear models: least squares and ridge, with inference and certificates."""

from stylobate.linear_model.linear_regression import LinearRegression
from stylobate.linear_model.ridge import ConstrainedRidge, Ridge
from stylobate.linear_model.ridge_cv import RidgeCV

__all__ = ["ConstrainedRidge", "LinearRegression", "Ridge", "RidgeCV"]
