"""Linear models: least squares, ridge, lasso and elastic net, with inference and certificates."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.linear_model.bayesian.ard_regression import ARDRegression
    from stylobate.linear_model.bayesian.bayesian_ridge import BayesianRidge
    from stylobate.linear_model.glm.concave import MCPRegressor, SCADRegressor
    from stylobate.linear_model.glm.gamma import GammaRegressor
    from stylobate.linear_model.glm.penalized import PenalizedRegression
    from stylobate.linear_model.glm.penalized_cv import PenalizedRegressionCV
    from stylobate.linear_model.glm.poisson import PoissonRegressor
    from stylobate.linear_model.glm.tweedie import TweedieRegressor
    from stylobate.linear_model.grouped.group_lasso import GroupLasso, SparseGroupLasso
    from stylobate.linear_model.grouped.group_lasso_cv import GroupLassoCV, SparseGroupLassoCV
    from stylobate.linear_model.lasso.constrained_lasso import ConstrainedLasso
    from stylobate.linear_model.lasso.elastic_net import ElasticNet
    from stylobate.linear_model.lasso.elastic_net_cv import ElasticNetCV, LassoCV
    from stylobate.linear_model.lasso.lasso import Lasso
    from stylobate.linear_model.lasso.multi_task import MultiTaskElasticNet, MultiTaskLasso
    from stylobate.linear_model.lasso.multi_task_cv import MultiTaskElasticNetCV, MultiTaskLassoCV
    from stylobate.linear_model.lasso.path import enet_path, lasso_path
    from stylobate.linear_model.least_squares.linear_regression import LinearRegression
    from stylobate.linear_model.logistic.logistic_regression import LogisticRegression
    from stylobate.linear_model.logistic.logistic_regression_cv import LogisticRegressionCV
    from stylobate.linear_model.refitted.adaptive_lasso import AdaptiveLasso, AdaptiveLassoCV
    from stylobate.linear_model.refitted.relaxed_lasso import RelaxedLasso, RelaxedLassoCV
    from stylobate.linear_model.ridge.constrained_ridge import ConstrainedRidge
    from stylobate.linear_model.ridge.ridge import Ridge
    from stylobate.linear_model.ridge.ridge_classifier import RidgeClassifier
    from stylobate.linear_model.ridge.ridge_classifier_cv import RidgeClassifierCV
    from stylobate.linear_model.ridge.ridge_cv import RidgeCV
    from stylobate.linear_model.ridge.ridge_path import ridge_path
    from stylobate.linear_model.robust.huber import HuberRegressor
    from stylobate.linear_model.robust.lad import LADRegressor
    from stylobate.linear_model.robust.quantile import QuantileRegressor
    from stylobate.linear_model.selective.debiased_lasso import debiased_lasso
    from stylobate.linear_model.selective.split_inference import split_inference
    from stylobate.linear_model.stochastic.perceptron import Perceptron
    from stylobate.linear_model.stochastic.sgd_classifier import SGDClassifier
    from stylobate.linear_model.stochastic.sgd_regressor import SGDRegressor

__all__ = [
    "ARDRegression",
    "AdaptiveLasso",
    "AdaptiveLassoCV",
    "BayesianRidge",
    "ConstrainedLasso",
    "ConstrainedRidge",
    "ElasticNet",
    "ElasticNetCV",
    "GammaRegressor",
    "GroupLasso",
    "GroupLassoCV",
    "HuberRegressor",
    "LADRegressor",
    "Lasso",
    "LassoCV",
    "LinearRegression",
    "LogisticRegression",
    "LogisticRegressionCV",
    "MCPRegressor",
    "MultiTaskElasticNet",
    "MultiTaskElasticNetCV",
    "MultiTaskLasso",
    "MultiTaskLassoCV",
    "PenalizedRegression",
    "PenalizedRegressionCV",
    "Perceptron",
    "PoissonRegressor",
    "QuantileRegressor",
    "RelaxedLasso",
    "RelaxedLassoCV",
    "Ridge",
    "RidgeCV",
    "RidgeClassifier",
    "RidgeClassifierCV",
    "SCADRegressor",
    "SGDClassifier",
    "SGDRegressor",
    "SparseGroupLasso",
    "SparseGroupLassoCV",
    "TweedieRegressor",
    "debiased_lasso",
    "enet_path",
    "lasso_path",
    "ridge_path",
    "split_inference",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ARDRegression": "bayesian.ard_regression",
        "AdaptiveLasso": "refitted.adaptive_lasso",
        "AdaptiveLassoCV": "refitted.adaptive_lasso",
        "BayesianRidge": "bayesian.bayesian_ridge",
        "ConstrainedLasso": "lasso.constrained_lasso",
        "ConstrainedRidge": "ridge.constrained_ridge",
        "ElasticNet": "lasso.elastic_net",
        "ElasticNetCV": "lasso.elastic_net_cv",
        "GammaRegressor": "glm.gamma",
        "GroupLasso": "grouped.group_lasso",
        "GroupLassoCV": "grouped.group_lasso_cv",
        "HuberRegressor": "robust.huber",
        "LADRegressor": "robust.lad",
        "Lasso": "lasso.lasso",
        "LassoCV": "lasso.elastic_net_cv",
        "LinearRegression": "least_squares.linear_regression",
        "LogisticRegression": "logistic.logistic_regression",
        "LogisticRegressionCV": "logistic.logistic_regression_cv",
        "MCPRegressor": "glm.concave",
        "MultiTaskElasticNet": "lasso.multi_task",
        "MultiTaskElasticNetCV": "lasso.multi_task_cv",
        "MultiTaskLasso": "lasso.multi_task",
        "MultiTaskLassoCV": "lasso.multi_task_cv",
        "PenalizedRegression": "glm.penalized",
        "PenalizedRegressionCV": "glm.penalized_cv",
        "Perceptron": "stochastic.perceptron",
        "PoissonRegressor": "glm.poisson",
        "QuantileRegressor": "robust.quantile",
        "RelaxedLasso": "refitted.relaxed_lasso",
        "RelaxedLassoCV": "refitted.relaxed_lasso",
        "Ridge": "ridge.ridge",
        "RidgeCV": "ridge.ridge_cv",
        "RidgeClassifier": "ridge.ridge_classifier",
        "RidgeClassifierCV": "ridge.ridge_classifier_cv",
        "SCADRegressor": "glm.concave",
        "SGDClassifier": "stochastic.sgd_classifier",
        "SGDRegressor": "stochastic.sgd_regressor",
        "SparseGroupLasso": "grouped.group_lasso",
        "SparseGroupLassoCV": "grouped.group_lasso_cv",
        "TweedieRegressor": "glm.tweedie",
        "debiased_lasso": "selective.debiased_lasso",
        "enet_path": "lasso.path",
        "lasso_path": "lasso.path",
        "ridge_path": "ridge.ridge_path",
        "split_inference": "selective.split_inference",
    },
)
