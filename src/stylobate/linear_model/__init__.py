"""Linear models: least squares, ridge, lasso and elastic net, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_lasso import ConstrainedLasso
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.elastic_net import ElasticNet
    from stylobate.linear_model.elastic_net_cv import ElasticNetCV, LassoCV
    from stylobate.linear_model.elastic_net_path import enet_path, lasso_path
    from stylobate.linear_model.lasso import Lasso
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_cv import RidgeCV

__all__ = [
    "ConstrainedLasso",
    "ConstrainedRidge",
    "ElasticNet",
    "ElasticNetCV",
    "Lasso",
    "LassoCV",
    "LinearRegression",
    "Ridge",
    "RidgeCV",
    "enet_path",
    "lasso_path",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ConstrainedLasso": "constrained_lasso",
        "ConstrainedRidge": "constrained_ridge",
        "ElasticNet": "elastic_net",
        "ElasticNetCV": "elastic_net_cv",
        "Lasso": "lasso",
        "LassoCV": "elastic_net_cv",
        "LinearRegression": "linear_regression",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
        "enet_path": "elastic_net_path",
        "lasso_path": "elastic_net_path",
    },
)
