"""Linear models: least squares and ridge, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.logistic_regression import LogisticRegression
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_cv import RidgeCV

__all__ = ["ConstrainedRidge", "LinearRegression", "LogisticRegression", "Ridge", "RidgeCV"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConstrainedRidge": "constrained_ridge",
        "LinearRegression": "linear_regression",
        "LogisticRegression": "logistic_regression",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
    },
)
