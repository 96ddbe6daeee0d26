"""An instance of every estimator, for checks."""

from __future__ import annotations

from typing import Any

from stylobate.base import BaseEstimator, ClassifierMixin
from stylobate.base.parameters import REQUIRED, defaults_of

# Where defaults need more iterations than the small tables of the checks are worth: scikit-learn
# checks its own of these names with such settings too.
_FEW_STEPS = {
    "hidden_layer_sizes": (16,), "n_members": 2, "max_iter": 30, "learning_rate_init": "auto",
    "n_iter_no_change": 30,
}  # fmt: skip
_SETTINGS: dict[str, dict[str, Any]] = {
    "TabularNetClassifier": _FEW_STEPS,
    "TabularNetRegressor": _FEW_STEPS,
    # a grid of one: folds, and so the choice, depend on how rows are repeated
    "SVCCV": {"Cs": [1.0], "gammas": [0.1]},
    "MiniBatchNMF": {"n_components": 2, "fresh_restarts": True, "tol": 1e-3},
    "MiniBatchSparsePCA": {"max_iter": 100},
    "NMF": {"n_components": 2, "max_iter": 1000, "tol": 1e-6},
}


def example_of(kind: type[BaseEstimator]) -> BaseEstimator:
    """An instance with default parameters; where there is none, a simple one is given.

    Meta-estimators get a ridge regression to work with (classifiers a logistic one), and filters a
    score for the numeric targets that the checks use. Three folds are enough for the few rows of
    each class that they have.

    Examples
    --------
    >>> from stylobate.feature_selection import RFE
    >>> example_of(RFE)
    RFE(estimator=Ridge())
    """
    from stylobate.feature_selection import f_regression
    from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
    from stylobate.naive_bayes import GaussianNB
    from stylobate.preprocessing import PolynomialFeatures

    model = LogisticRegression() if issubclass(kind, ClassifierMixin) else Ridge()
    space = {"alpha": [0.1, 1.0, 10.0]}
    simple: dict[str, Any] = {
        "estimator": model,
        "score_func": f_regression,
        "k": 1,
        "param_grid": space,
    }
    simple |= {"param_distributions": space, "n_candidates": 3}
    simple |= {"skewedness": 10.0}  # below all entries the checks use
    curves = PolynomialFeatures(include_bias=False)
    simple |= {
        "steps": [("curves", curves), ("model", model)],
        "transformer_list": [("curves", curves)],
        "transformers": [("curves", curves, slice(0, 2))],
    }
    other = GaussianNB() if issubclass(kind, ClassifierMixin) else LinearRegression()
    simple["estimators"] = [("model", model), ("other", other)]
    defaults = defaults_of(kind)
    if defaults.get("n_features") == 2**20:  # tables of the checks are made dense
        simple["n_features"] = 2**10
    if defaults.get("n_neighbors") in (15, 20):  # more than the checks have rows
        simple["n_neighbors"] = 5
    if defaults.get("perplexity") == 30.0:  # more than the checks have rows
        simple |= {"perplexity": 2.0, "max_iter": 250}
    if "fit_algorithm" in defaults:  # the codes that `fit_transform` gives, too
        simple |= {"transform_algorithm": "lasso_lars", "max_iter": 20}
    if "param_distributions" in defaults:  # as many as there are
        simple["n_iter"] = 3
    if defaults.get("n_components") == 100:  # more than the checks have rows
        simple["n_components"] = 5
    if defaults.get("n_components") == "auto" and "eps" in defaults:  # the bound asks for thousands
        simple["n_components"] = 1
    if "n_epochs" in defaults:  # what is checked does not depend on how well rows are placed
        simple["n_epochs"] = 30
    if "n_components" in defaults and "scale" in defaults:  # as many as there are targets
        simple["n_components"] = 1
    if "hidden_layer_sizes" in defaults:  # few steps that end by themselves
        simple |= {"hidden_layer_sizes": (20,), "learning_rate_init": 0.02, "tol": 0.001}
        simple |= {"n_iter_no_change": 5, "max_iter": 1000}
    if "n_estimators" in defaults:  # as many as scikit-learn's own checks take
        simple["n_estimators"] = 5
    given = {name: value for name, value in simple.items() if name in defaults}
    if defaults.get("estimator", REQUIRED) is not REQUIRED:
        given.pop("estimator", None)
    if defaults.get("cv") is None and "Cs" in defaults:
        given |= {"cv": 3, "Cs": 3}
    return kind(**given | _SETTINGS.get(kind.__name__, {}))
