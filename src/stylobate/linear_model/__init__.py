"""Linear models: least squares and ridge, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.huber import HuberRegressor
    from stylobate.linear_model.lad import LADRegressor
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.quantile import QuantileRegressor
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_cv import RidgeCV

__all__ = [
    "ConstrainedRidge",
    "HuberRegressor",
    "LADRegressor",
    "LinearRegression",
    "QuantileRegressor",
    "Ridge",
    "RidgeCV",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConstrainedRidge": "constrained_ridge",
        "HuberRegressor": "huber",
        "LADRegressor": "lad",
        "LinearRegression": "linear_regression",
        "QuantileRegressor": "quantile",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
    },
)
