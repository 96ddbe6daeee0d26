"""Bad input, every linear model: a right answer or one clear sentence, never a silent NaN."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import sklearn.linear_model as peer
from scipy import sparse

import stylobate.linear_model as lm
from stylobate.exceptions import StylobateError, StylobateWarning

N, P = 30, 4
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, P))
Z = X @ [1.0, -2.0, 0.0, 0.5] + 0.3 * RNG.normal(size=N)
WIDE = RNG.normal(size=(20, 500))

TASKS = ["MultiTaskLasso", "MultiTaskElasticNet", "MultiTaskLassoCV", "MultiTaskElasticNetCV"]
CLASSIFIERS = ["LogisticRegression", "LogisticRegressionCV", "RidgeClassifier"]
CLASSIFIERS += ["RidgeClassifierCV", "Perceptron", "SGDClassifier"]
COUNTS = ["PoissonRegressor", "GammaRegressor", "TweedieRegressor"]
REGRESSORS = ["Lasso", "ElasticNet", "LassoCV", "ElasticNetCV", "ConstrainedLasso"]
REGRESSORS += ["HuberRegressor", "QuantileRegressor", "LADRegressor", "SGDRegressor"]
STEPPING = ["Perceptron", "SGDClassifier", "SGDRegressor"]  # row by row, towards no given gap
NAMES = REGRESSORS + TASKS + COUNTS + CLASSIFIERS
VARIANTS = {
    **{name: (name, {}) for name in NAMES},
    "LogisticRegression, no penalty": ("LogisticRegression", {"C": np.inf}),
    "LogisticRegression, l1": ("LogisticRegression", {"l1_ratio": 1.0, "solver": "saga"}),
    **{
        f"LogisticRegression, {solver}": ("LogisticRegression", {"solver": solver})
        for solver in ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "sag", "saga")
    },
    **{f"{name}, alpha=0": (name, {"alpha": 0.0}) for name in ["Lasso", *COUNTS, TASKS[0]]},
    "TweedieRegressor, 1.5": ("TweedieRegressor", {"power": 1.5}),
    **{f"{name}, alpha=1e6": (name, {"alpha": 1e6}) for name in ("ElasticNet", *REGRESSORS[6:8])},
    **{
        f"{name}, one iteration": (name, {"max_iter": 1})
        for name in NAMES
        if "max_iter" in inspect.signature(getattr(lm, name)).parameters
    },
}
EACH = pytest.mark.parametrize("variant", VARIANTS)


def target(name, z):
    if name in TASKS:
        return np.column_stack([z, z[::-1]])
    if name in CLASSIFIERS:
        return (z > np.median(z)).astype(int)
    return np.exp(z / 4.0) if name in COUNTS else z


def changed(x, cell, value):
    x = x.copy()
    x[cell] = value
    return x


def refused(name):
    """Input nobody can use: X, y, weights, and what the sentence must name."""
    y = target(name, Z)
    ones = np.ones(N)
    return {
        "NaN": (changed(X, (2, 1), np.nan), y, None, "X contains NaN at row 2, column 1"),
        "infinity": (changed(X, (2, 1), np.inf), y, None, "infinity .*row 2, column 1"),
        "NaN in y": (X, changed(y.astype(float), 2, np.nan), None, "y contains NaN at row 2"),
        "text": (changed(X.astype(object), (5, 1), "red"), y, None, "'red' at row 5, column 1"),
        "complex": (X + 1j, y, None, "[Cc]omplex"),
        "y too short": (X, y[:-1], None, "30.*29"),
        "no y": (X, None, None, "y"),
        "no rows": (X[:0], y[:0], None, "0 sample"),
        "no columns": (X[:, :0], y, None, "0 feature"),
        "vector": (X[:, 0], y, None, "2D|1D"),
        "negative weight": (X, y, changed(ones, 3, -1.0), "sample_weight contains -1.0 at row 3"),
        "NaN weight": (X, y, changed(ones, 3, np.nan), "sample_weight contains NaN at row 3"),
        "no weight": (X, y, 0.0 * ones, "sample_weight is zero everywhere"),
        "too few weights": (X, y, ones[:-1], "29"),
    }


def answered(name):
    """Input that is odd, and has an answer all the same."""
    y = target(name, Z)
    holes = sparse.csr_array(np.where(np.abs(X) > 0.5, X, 0.0))
    holes.data[::3] = 0.0
    odd = {
        "separable": (X, target(name, X[:, 0])),
        "constant column": (changed(X, np.s_[:, 1], 7.0), y),
        "zero columns": (np.zeros_like(X), y),
        "duplicated columns": (np.hstack([X, X]), y),
        "unscaled": (X * [1e-8, 1e8, 1.0, 1e4], y),
        "far from zero": (X + 1e8, y),
        "wide": (WIDE[:, :80], target(name, WIDE[:, 0])),
        "integers": ((3 * X).astype(np.int32), y),
        "booleans": (X > 0, y),
        "float32": (X.astype(np.float32), y),
        "one column": (X[:, :1], y),
        "explicit zeros": (holes, y),
        "huge y": (X, y * 10**12),
    }
    if name in CLASSIFIERS:
        odd["object labels"] = (X, np.array(["no", "yes"], dtype=object)[y])
    else:
        odd["constant y"] = (X, np.ones_like(y))
    if not name.endswith("CV"):
        odd["few rows"] = (X[Z.argsort()[[0, -1]]], y[Z.argsort()[[0, -1]]])
        if name not in CLASSIFIERS:
            odd["one row"] = (X[:1], y[:1])
    return odd


def made(variant):
    name, parameters = VARIANTS[variant]
    return getattr(lm, name)(**parameters)


def fitted(model, x, y, weights=None):
    """The fitted model and its warnings; only the library's own are let through."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(x, y) if weights is None else model.fit(x, y, sample_weight=weights)
    for warning in said:
        assert issubclass(warning.category, StylobateWarning), warning
        assert warning.filename == __file__, warning  # it points at the user's own line
        assert str(warning.message).startswith(type(model).__name__), warning
    return model, said


def takes_weights(name):
    return "sample_weight" in inspect.signature(getattr(lm, name).fit).parameters


@pytest.mark.parametrize("name", NAMES)
def test_impossible_input_is_refused_in_words(name):
    for case, (x, y, weights, words) in refused(name).items():
        if weights is None or takes_weights(name):
            with pytest.raises(StylobateError, match=words) as caught:
                fitted(getattr(lm, name)(), x, y, weights)
            assert name in str(caught.value), case
            assert "\n" not in str(caught.value) or case == "vector", case  # prints the array
            assert "np." not in str(caught.value), case


@EACH
def test_odd_input_gets_finite_numbers_or_one_sentence(variant):
    name, _ = VARIANTS[variant]
    for case, (x, y) in answered(name).items():
        try:
            model, said = fitted(made(variant), x, y)
        except StylobateError as error:
            pytest.fail(f"{case}: {error}")
        assert np.isfinite(model.coef_).all(), case
        assert np.isfinite(model.intercept_).all(), case
        predicted = model.predict(x)
        assert predicted.dtype.kind in "OUbi" or np.isfinite(predicted).all(), case
        proof = model.certificate_
        assert np.isfinite(proof.primal), case
        small = proof.relative_gap <= 1e-3 or proof.gap <= 1e-12  # of a perfect fit
        assert small or said or name in STEPPING, case


@pytest.mark.parametrize("name", CLASSIFIERS)
@pytest.mark.parametrize("label", [1, "yes", True])
def test_one_class_is_named_as_the_user_wrote_it(name, label):
    with pytest.raises(StylobateError, match=rf"one class: {label!r}\.$"):
        getattr(lm, name)().fit(X, np.full(N, label))


@pytest.mark.parametrize("name", [n for n in NAMES if takes_weights(n) and n not in STEPPING])
def test_extreme_weights_are_not_blamed_on_the_columns(name):
    with pytest.raises(StylobateError, match=r"sample_weight holds values up to 1e\+200"):
        fitted(getattr(lm, name)(), X, target(name, Z), np.full(N, 1e200))


@pytest.mark.parametrize("solver", ["auto", "saga"])
@pytest.mark.parametrize("far", [100.0, 1e4, 1e8])
def test_l1_with_columns_far_from_zero_finds_the_same_minimum(solver, far):
    y = target("LogisticRegression", Z)
    near, _ = fitted(lm.LogisticRegression(l1_ratio=1.0, solver=solver), X, y)
    moved, said = fitted(lm.LogisticRegression(l1_ratio=1.0, solver=solver), X + far, y)
    assert not said
    assert moved.certificate_.relative_gap <= 1e-4
    assert moved.certificate_.primal == pytest.approx(near.certificate_.primal, rel=1e-6)
    np.testing.assert_allclose(moved.coef_, near.coef_, rtol=5e-3, atol=1e-3)
    np.testing.assert_array_equal(moved.predict(X + far), near.predict(X))


@pytest.mark.parametrize("name", COUNTS)
def test_columns_far_from_zero_are_not_taken_for_constant_ones(name):
    y = target(name, Z)
    steps = np.round(X * 64.0) / 64.0  # exact beside 2²⁷
    far, near = (getattr(lm, name)(alpha=0.1).fit(x, y) for x in (steps + 2.0**27, steps))
    np.testing.assert_allclose(far.coef_, near.coef_, rtol=1e-6, atol=1e-9)


def test_folds_without_weight_are_refused_by_the_model_not_the_metric():
    weights = np.zeros(N)
    weights[:2] = 1.0
    with pytest.raises(StylobateError, match=r"LogisticRegressionCV: split 0 .*positive weight"):
        fitted(lm.LogisticRegressionCV(), X, target("LogisticRegressionCV", Z), weights)


@pytest.mark.parametrize("name", [n for n in NAMES if n not in CLASSIFIERS])
def test_labels_for_a_regressor_get_the_advice_to_classify(name):
    with pytest.raises(StylobateError, match=r"y .*text.*predicted by a classifier"):
        getattr(lm, name)().fit(X, np.array(["no", "yes"] * 15))


def test_only_those_who_chose_a_solver_are_advised_to_leave_it():
    y = target("LogisticRegression", Z)
    for solver, advised in (("auto", False), ("lbfgs", True)):
        _, (said,) = fitted(lm.LogisticRegression(max_iter=1, solver=solver), X, y)
        assert "after 1 iteration with" in str(said.message)
        assert ("solver='auto'" in str(said.message)) == advised


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_labels_in_a_column_are_warned_about_once(name):
    with pytest.warns(UserWarning, match="column-vector") as said:
        getattr(lm, name)().fit(X, target(name, Z)[:, None])
    assert sum("column-vector" in str(warning.message) for warning in said) == 1


@pytest.mark.parametrize(("n_rows", "advice"), [(1, r"give more rows\.$"), (3, r"\(cv=3\)\.$")])
def test_too_few_rows_for_folds_get_advice_that_works(n_rows, advice):
    with pytest.raises(StylobateError, match=advice):
        lm.LassoCV().fit(X[:n_rows], Z[:n_rows])


# --- against scikit-learn, by objective -----------------------------------------------------------


def objective(name, model, x, y, alpha):
    """What scikit-learn's documentation says is minimised."""
    x = x.toarray() if sparse.issparse(x) else np.asarray(x, dtype=float)
    coef = np.asarray(model.coef_, dtype=float)
    z = x @ coef.T + model.intercept_
    l1, l2 = np.abs(coef).sum(), 0.5 * (coef**2).sum()
    columns = np.linalg.norm(coef, axis=0).sum() if coef.ndim == 2 else l1
    match name:
        case "Lasso":
            return 0.5 * np.mean((y - z) ** 2) + alpha * l1
        case "ElasticNet":
            return 0.5 * np.mean((y - z) ** 2) + 0.5 * alpha * (l1 + l2)
        case "MultiTaskLasso":
            return 0.5 * np.sum((y - z) ** 2) / len(y) + alpha * columns
        case "MultiTaskElasticNet":
            return 0.5 * np.sum((y - z) ** 2) / len(y) + 0.5 * alpha * (columns + l2)
        case "QuantileRegressor":
            return 0.5 * np.mean(np.abs(y - z)) + alpha * l1
        case "HuberRegressor":
            return huber_objective(y - z, model.scale_) + 2.0 * alpha * l2
        case "PoissonRegressor":
            return np.mean(np.exp(z) - y * z) + alpha * l2
        case "GammaRegressor":
            return np.mean(z + y * np.exp(-z)) + alpha * l2
        case "TweedieRegressor":  # of power 1.5
            return np.mean(2.0 * np.exp(0.5 * z) + 2.0 * y * np.exp(-0.5 * z)) + alpha * l2
    signs = np.where(y == np.unique(y)[1], 1.0, -1.0)
    if name == "RidgeClassifier":
        return np.sum((signs - z.ravel()) ** 2) + 2.0 * alpha * l2
    penalty = l1 if name == "LogisticRegression, l1" else l2
    return alpha * np.logaddexp(0.0, -signs * z.ravel()).sum() + penalty  # alpha: C


def huber_objective(residuals, scale, epsilon=1.35):
    """Σ (σ + h(r/σ) σ): Owen's concomitant scale."""
    size = np.abs(residuals / scale)
    loss = np.where(size <= epsilon, size**2, 2.0 * epsilon * size - epsilon**2)
    return np.sum(scale + loss * scale)


# What scikit-learn is told, so that it finds the minimum; and what both are told.
TIGHT = {
    "Lasso": ({"tol": 1e-12, "max_iter": 20000}, {}),
    "ElasticNet": ({"tol": 1e-12, "max_iter": 20000}, {}),
    "MultiTaskLasso": ({"tol": 1e-12, "max_iter": 20000}, {}),
    "MultiTaskElasticNet": ({"tol": 1e-12, "max_iter": 20000}, {}),
    "QuantileRegressor": ({}, {}),
    "HuberRegressor": ({"tol": 1e-10, "max_iter": 5000}, {}),
    "PoissonRegressor": ({"solver": "newton-cholesky", "tol": 1e-10}, {}),
    "GammaRegressor": ({"solver": "newton-cholesky", "tol": 1e-10}, {}),
    "TweedieRegressor": ({"solver": "newton-cholesky", "tol": 1e-10}, {"power": 1.5}),
    "RidgeClassifier": ({}, {}),
    "LogisticRegression": ({"solver": "newton-cholesky", "tol": 1e-10}, {}),
    "LogisticRegression, l1": (
        {"solver": "saga", "tol": 1e-8, "max_iter": 5000},
        {"l1_ratio": 1.0},
    ),
}


@pytest.mark.parametrize("alpha", [0.01, 1.0])
@pytest.mark.parametrize("variant", TIGHT)
def test_objectives_are_never_above_those_of_scikit_learn(variant, alpha):
    name = variant.split(",")[0]
    for_peer, for_both = TIGHT[variant]
    for_both = for_both | {"C" if name == "LogisticRegression" else "alpha": alpha}
    for case, (x, y) in answered(name).items():
        if case == "object labels" or (name.startswith("Multi") and sparse.issparse(x)):
            continue
        ours, _ = fitted(getattr(lm, name)(**for_both), x, y)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = getattr(peer, name)(**for_both, **for_peer)
            try:
                theirs.fit(x.astype(float) if x.dtype == bool else x, y)
            except ValueError:
                continue  # scikit-learn has no answer: nothing to compare with
        here, there = (objective(variant, model, x, y, alpha) for model in (ours, theirs))
        size = 1e-6 * abs(there) + 1e-12 * max(1.0, np.abs(np.asarray(y, dtype=float)).max())
        assert here <= there + size, (case, here, there)


@pytest.mark.parametrize("case", answered("LADRegressor"))
def test_least_absolute_deviations_are_those_of_the_linear_program(case):
    x, y = answered("LADRegressor")[case]
    ours, _ = fitted(lm.LADRegressor(), x, y)
    theirs = peer.QuantileRegressor(alpha=0.0).fit(x.astype(float), y)
    here, there = (np.abs(y - model.predict(x)).mean() for model in (ours, theirs))
    assert here <= there * (1.0 + 1e-6) + 1e-12 * np.abs(y).max()
