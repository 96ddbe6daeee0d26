"""Linear models, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.gamma import GammaRegressor
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.poisson import PoissonRegressor
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_cv import RidgeCV
    from stylobate.linear_model.tweedie import TweedieRegressor

__all__ = [
    "ConstrainedRidge",
    "GammaRegressor",
    "LinearRegression",
    "PoissonRegressor",
    "Ridge",
    "RidgeCV",
    "TweedieRegressor",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConstrainedRidge": "constrained_ridge",
        "GammaRegressor": "gamma",
        "LinearRegression": "linear_regression",
        "PoissonRegressor": "poisson",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
        "TweedieRegressor": "tweedie",
    },
)
