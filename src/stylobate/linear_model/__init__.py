"""Linear models: least squares, ridge, lasso and elastic net, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.constrained_lasso import ConstrainedLasso
    from stylobate.linear_model.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.elastic_net import ElasticNet
    from stylobate.linear_model.elastic_net_cv import ElasticNetCV, LassoCV
    from stylobate.linear_model.elastic_net_path import enet_path, lasso_path
    from stylobate.linear_model.gamma import GammaRegressor
    from stylobate.linear_model.huber import HuberRegressor
    from stylobate.linear_model.lad import LADRegressor
    from stylobate.linear_model.lasso import Lasso
    from stylobate.linear_model.linear_regression import LinearRegression
    from stylobate.linear_model.logistic_regression import LogisticRegression
    from stylobate.linear_model.logistic_regression_cv import LogisticRegressionCV
    from stylobate.linear_model.multi_task import MultiTaskElasticNet, MultiTaskLasso
    from stylobate.linear_model.multi_task_cv import MultiTaskElasticNetCV, MultiTaskLassoCV
    from stylobate.linear_model.penalized import PenalizedRegression
    from stylobate.linear_model.perceptron import Perceptron
    from stylobate.linear_model.poisson import PoissonRegressor
    from stylobate.linear_model.quantile import QuantileRegressor
    from stylobate.linear_model.ridge import Ridge
    from stylobate.linear_model.ridge_classifier import RidgeClassifier
    from stylobate.linear_model.ridge_classifier_cv import RidgeClassifierCV
    from stylobate.linear_model.ridge_cv import RidgeCV
    from stylobate.linear_model.sgd_classifier import SGDClassifier
    from stylobate.linear_model.sgd_regressor import SGDRegressor
    from stylobate.linear_model.tweedie import TweedieRegressor

__all__ = [
    "ConstrainedLasso",
    "ConstrainedRidge",
    "ElasticNet",
    "ElasticNetCV",
    "GammaRegressor",
    "HuberRegressor",
    "LADRegressor",
    "Lasso",
    "LassoCV",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MultiTaskElasticNet",
    "MultiTaskElasticNetCV",
    "MultiTaskLasso",
    "MultiTaskLassoCV",
    "PenalizedRegression",
    "Perceptron",
    "PoissonRegressor",
    "QuantileRegressor",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "SGDClassifier",
    "SGDRegressor",
    "TweedieRegressor",
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
        "GammaRegressor": "gamma",
        "HuberRegressor": "huber",
        "LADRegressor": "lad",
        "Lasso": "lasso",
        "LassoCV": "elastic_net_cv",
        "LinearRegression": "linear_regression",
        "LogisticRegression": "logistic_regression",
        "LogisticRegressionCV": "logistic_regression_cv",
        "MultiTaskElasticNet": "multi_task",
        "MultiTaskElasticNetCV": "multi_task_cv",
        "MultiTaskLasso": "multi_task",
        "MultiTaskLassoCV": "multi_task_cv",
        "PenalizedRegression": "penalized",
        "Perceptron": "perceptron",
        "PoissonRegressor": "poisson",
        "QuantileRegressor": "quantile",
        "Ridge": "ridge",
        "RidgeCV": "ridge_cv",
        "RidgeClassifier": "ridge_classifier",
        "RidgeClassifierCV": "ridge_classifier_cv",
        "SGDClassifier": "sgd_classifier",
        "SGDRegressor": "sgd_regressor",
        "TweedieRegressor": "tweedie",
        "enet_path": "elastic_net_path",
        "lasso_path": "elastic_net_path",
    },
)
