"""Ridge classifiers of rows with several labels, and iterative ridge at its limits."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array

from stylobate.exceptions import FormulaError, InvalidParameterError, UnsupportedDataError
from stylobate.linear_model import Ridge, RidgeClassifier, RidgeClassifierCV, RidgeCV


@pytest.fixture(scope="module")
def labelled():
    rng = np.random.default_rng(3)
    x = rng.normal(size=(60, 4))
    margins = x @ rng.normal(size=(4, 3)) + 0.1 * rng.normal(size=(60, 3))
    return x, (margins > 0).astype(int)


@pytest.mark.parametrize(
    "model", [RidgeClassifier(), RidgeClassifierCV(), RidgeClassifierCV(cv=3)], ids=repr
)
@pytest.mark.parametrize("container", [np.asarray, csr_array], ids=["dense", "sparse"])
def test_a_regression_for_each_label(labelled, model, container):
    x, y = labelled
    found = model.fit(x, container(y))
    assert found.multilabel_
    assert_array_equal(found.classes_, [0, 1, 2])
    alpha = getattr(found, "alpha_", 1.0)
    each = [Ridge(alpha=alpha, solver="svd").fit(x, 2.0 * y[:, k] - 1.0) for k in range(3)]
    assert_allclose(found.coef_, [one.coef_ for one in each], atol=1e-10)
    assert_array_equal(found.predict(x), np.column_stack([one.predict(x) > 0 for one in each]))
    with pytest.raises(UnsupportedDataError, match="multiclass-multioutput"):
        found.score(x, y + 1)
    assert found.score(x, container(y)) == (found.predict(x) == y).all(axis=1).mean()


def test_one_label_after_several(labelled):
    x, y = labelled
    model = RidgeClassifier().fit(x, y).fit(x, y[:, 0])
    assert not model.multilabel_
    assert model.predict(x).shape == (60,)


def test_what_several_labels_do_not_have(labelled):
    x, y = labelled
    with pytest.raises(InvalidParameterError, match="class_weight"):
        RidgeClassifier(class_weight="balanced").fit(x, y)
    with pytest.raises(FormulaError, match="several"):
        RidgeClassifier().fit(x, y).to_sql("t")


@pytest.mark.parametrize("solver", ["lsqr", "sparse_cg"])
def test_a_penalty_beyond_the_digits_gives_the_least_norm(solver):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(20, 40)) * np.geomspace(0.1, 10.0, 40)
    y = rng.normal(size=20)
    found = Ridge(1e-16, solver=solver, tol=1e-13, fit_intercept=False).fit(x, y)
    assert_allclose(found.coef_, np.linalg.pinv(x) @ y, atol=1e-8)


@pytest.mark.parametrize("solver", ["sag", "saga"])
def test_tolerances_below_rounding_end(solver):
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(10, 15)), rng.normal(size=10)
    found = Ridge(solver=solver, tol=1e-15, max_iter=100_000, random_state=0).fit(x, y)
    assert found.n_iter_ < 5_000
    assert_allclose(found.coef_, Ridge(solver="svd").fit(x, y).coef_, rtol=1e-7)


def test_a_mode_given_up_is_told():
    x = csr_array(np.random.default_rng(0).normal(size=(12, 3)))
    with pytest.warns(FutureWarning, match="not supported for sparse X"):
        RidgeCV(gcv_mode="svd").fit(x, np.arange(12.0))
