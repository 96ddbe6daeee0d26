"""Non-negative factors: parity with scikit-learn, laws of losses, stationarity, threads."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import NMF as TheirNMF
from sklearn.decomposition import MiniBatchNMF as TheirMiniBatchNMF

from stylobate import set_threads
from stylobate.base import clone
from stylobate.data.streams import Batch, Stream
from stylobate.decomposition import NMF, MiniBatchNMF, non_negative_factorization
from stylobate.decomposition.nonnegative.problem import FactorizationProblem
from stylobate.decomposition.nonnegative.table import NonnegativeTable
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, NumericalError

pytestmark = [
    pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

SETTINGS = [
    {},
    {"alpha_W": 0.01, "l1_ratio": 0.3},
    {"shuffle": True, "random_state": 3},
    {"solver": "mu"},
    {"solver": "mu", "beta_loss": "kullback-leibler"},
    {"solver": "mu", "beta_loss": 1.5},
    {"solver": "mu", "beta_loss": 0.5, "alpha_W": 0.01, "l1_ratio": 0.5},
    {"solver": "mu", "beta_loss": 3.0, "alpha_H": 0.001},
]


def table(n=50, p=30, seed=0):
    x = np.abs(np.random.default_rng(seed).normal(size=(n, p)))
    x[x < 0.7] = 0.0
    return x


def start(n, p, k, seed=1):
    rng = np.random.default_rng(seed)
    return np.abs(rng.normal(size=(n, k))), np.abs(rng.normal(size=(k, p)))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("kind", [np.array, np.asfortranarray, sparse.csr_matrix, sparse.csr_array])
def test_same_factors_as_scikit_learn(settings, kind):
    x = kind(table())
    w, h = start(*x.shape, 5)
    theirs = TheirNMF(5, init="custom", max_iter=30, **settings)
    ours = NMF(5, init="custom", max_iter=30, **settings)
    expected = theirs.fit_transform(x, W=w.copy(), H=h.copy())
    np.testing.assert_allclose(ours.fit_transform(x, W=w, H=h), expected, atol=1e-8)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-8)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-8)
    assert ours.reconstruction_err_ <= theirs.reconstruction_err_ * (1 + 1e-9)
    assert ours.n_iter_ == theirs.n_iter_


def test_compressed_columns_are_the_same_table():
    """scikit-learn mixes up the entries of CSC under losses other than the squared one."""
    x = table()
    for beta in (1.0, 1.5):
        model = NMF(4, solver="mu", beta_loss=beta, init="random", random_state=0, max_iter=20)
        dense = model.fit(x).components_
        np.testing.assert_allclose(model.fit(sparse.csc_array(x)).components_, dense, rtol=1e-8)


@pytest.mark.parametrize("init", ["random", "nndsvd", "nndsvda", "nndsvdar", None])
@pytest.mark.parametrize("shape", [(40, 25), (25, 40)])
def test_same_starts_as_scikit_learn(init, shape):
    x = table(*shape)
    theirs = TheirNMF(4, init=init, random_state=0, max_iter=10).fit(x)
    ours = NMF(4, init=init, random_state=0, max_iter=10).fit(x)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-7)


def test_itakura_saito_dense_and_sparse():
    x = table() + 0.1
    settings = {"solver": "mu", "beta_loss": "itakura-saito", "init": "random", "random_state": 0}
    theirs = TheirNMF(4, max_iter=30, **settings).fit(x)
    for rows in (x, sparse.csr_array(x)):
        ours = NMF(4, max_iter=30, **settings).fit(rows)
        np.testing.assert_allclose(ours.components_, theirs.components_, rtol=1e-6)
    with pytest.raises(InvalidDataError, match="beta_loss <= 0 and X contains zeros"):
        NMF(4, **settings).fit(table())


@pytest.mark.parametrize("beta", [2.0, 1.0, 0.0, 0.5, 1.5, 3.0])
def test_multiplicative_updates_never_raise_the_objective(beta):
    x = NonnegativeTable(table() + 0.05, "X")
    problem = FactorizationProblem.of(x, beta, 0.0, 0.0, 0.0)
    w, h = start(50, 30, 4)
    f = np.ascontiguousarray(h.T)
    from stylobate.decomposition.nonnegative.solvers import Alternation, multiplicative_updates

    last = problem.objective(w, f)
    for _ in range(15):
        multiplicative_updates(problem, w, f, Alternation(0.0, 1))
        now = problem.objective(w, f)
        assert now <= last * (1 + 1e-12)
        last = now


@pytest.mark.parametrize("beta", [2.0, 1.0, 0.0, 1.5])
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_parts_are_the_gradient_by_differences(beta, kind):
    problem = FactorizationProblem.of(
        NonnegativeTable(kind(table(9, 7) + 0.2), "X"), beta, 0.01, 0.02, 0.4
    )
    w, h = start(9, 7, 3)
    f = np.ascontiguousarray(h.T)
    for factor, parts in ((w, problem.row_parts(w, f)), (f, problem.column_parts(w, f))):
        up, down = parts
        for at in [(0, 0), (3, 1), (6, 2)]:
            step = 1e-6 * factor[at]
            value, factor[at] = factor[at], factor[at] + step
            above = problem.objective(w, f)
            factor[at] = value - step
            below = problem.objective(w, f)
            factor[at] = value
            slope = (above - below) / (2 * step)
            assert slope == pytest.approx((down - up)[at], rel=1e-5, abs=1e-5)


def test_certificate_is_small_at_a_stationary_point_and_not_elsewhere():
    x = table()
    near = NMF(3, init="random", random_state=0, tol=1e-10, max_iter=5000).fit(x).certificate_
    far = NMF(3, init="random", random_state=0, max_iter=2).fit(x).certificate_
    assert near.stationarity < 1e-8 < 1e-3 < far.stationarity
    assert "other starts may end lower" in near.verdict
    error = NMF(3, init="random", random_state=0, tol=1e-10, max_iter=5000).fit(x)
    assert near.relative_error == pytest.approx(error.reconstruction_err_ / np.linalg.norm(x))


def test_scaling_the_table_scales_the_product():
    x = table()
    for settings in ({}, {"solver": "mu", "beta_loss": 1}):
        model = NMF(3, init="random", random_state=0, max_iter=20, **settings)
        once = model.inverse_transform(model.fit_transform(x))
        four = model.inverse_transform(model.fit_transform(4.0 * x))
        np.testing.assert_allclose(four, 4.0 * once, rtol=1e-6)


@pytest.mark.parametrize("settings", SETTINGS[:6], ids=str)
@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
def test_same_bits_with_any_number_of_threads(settings, kind):
    x = kind(table(300, 700))
    found = []
    try:
        for count in (1, 2, 7):
            set_threads(count)
            model = NMF(3, init="random", max_iter=5, **{"random_state": 0, **settings}).fit(x)
            found.append(model.components_)
    finally:
        set_threads(None)
    assert all((each == found[0]).all() for each in found)


def test_single_precision_comes_back():
    x = table().astype(np.float32)
    model = NMF(3, random_state=0, max_iter=30)
    assert model.fit_transform(x).dtype == model.components_.dtype == np.float32
    double = NMF(3, random_state=0, max_iter=30).fit(x.astype(float))
    np.testing.assert_allclose(model.components_, double.components_, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    "x", [np.zeros((4, 3)), np.ones((4, 3)), np.eye(3)[:, :2], np.ones((1, 1))]
)
@pytest.mark.parametrize("settings", [{}, {"solver": "mu", "beta_loss": 1}])
def test_tables_without_much_in_them(x, settings):
    model = NMF(2, init="random", random_state=0, **settings)
    back = model.inverse_transform(model.fit_transform(x))
    assert np.isfinite(back).all()
    assert np.abs(back - x).max() < 0.02


def test_refusals():
    with pytest.raises(InvalidDataError, match="Negative values in data passed to"):
        NMF(1).fit([[1.0, -2.0]])
    with pytest.raises(ValueError, match="does not handle beta_loss"):
        NMF(1, beta_loss=1).fit([[1.0, 2.0]])
    with pytest.raises(ValueError, match="can only be used when n_components"):
        NMF(5, init="nndsvd").fit(np.ones((3, 3)))
    with pytest.raises(ValueError, match="wrong second dimension"):
        non_negative_factorization(
            np.ones((3, 3)), np.ones((3, 2)), np.ones((2, 4)), 2, init="custom"
        )
    with pytest.raises(ValueError, match="both W and H must be given"):
        NMF(1, init="custom").fit(np.ones((3, 3)))
    with pytest.raises(NumericalError, match="divide X by a constant"):
        NMF(1).fit([[1e200, 1.0]])
    with pytest.warns(ConvergenceWarning, match="Maximum number of iterations 2"):
        NMF(3, init="random", random_state=0, max_iter=2).fit(table())


def test_function_solves_for_weights_alone():
    x = table()
    _, h = start(50, 30, 4)
    w, same, n_iter = non_negative_factorization(x, H=h, update_H=False)
    assert same is h or (same == h).all()
    assert n_iter > 1
    from scipy.optimize import nnls

    np.testing.assert_allclose(w[0], nnls(h.T, x[0])[0], atol=1e-3)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"beta_loss": 1, "alpha_W": 0.01, "l1_ratio": 0.5},
        {"beta_loss": 0.5, "fresh_restarts": True},
        {"beta_loss": 3.0},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [np.array, sparse.csr_matrix])
def test_minibatches_as_scikit_learn(settings, kind):
    x = kind(table(90))
    shared = {"random_state": 0, "batch_size": 25, "max_iter": 8}
    theirs = TheirMiniBatchNMF(4, **shared, **settings)
    ours = MiniBatchNMF(4, **shared, **settings)
    np.testing.assert_allclose(ours.fit_transform(x), theirs.fit_transform(x), atol=1e-8)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-8)
    np.testing.assert_allclose(ours.transform(x), theirs.transform(x), atol=1e-8)
    assert (ours.n_iter_, ours.n_steps_) == (theirs.n_iter_, theirs.n_steps_)


def test_partial_fits_as_scikit_learn():
    x = table(90)
    theirs, ours = (kind(4, random_state=0) for kind in (TheirMiniBatchNMF, MiniBatchNMF))
    for part in np.split(x, 3):
        theirs.partial_fit(part)
        ours.partial_fit(part)
    np.testing.assert_allclose(ours.components_, theirs.components_, atol=1e-8)
    assert ours.n_steps_ == 3


# --- rows that are read on request ----------------------------------------------------------------


@pytest.mark.parametrize("kind", [np.array, sparse.csr_array])
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_batches_give_the_factors_of_memory(settings, kind):
    x = table()
    rows = kind(x + 0.1 if settings.get("beta_loss") == 0.5 else x)
    parts = [Batch(rows[a : a + 13]) for a in range(0, 50, 13)]
    stream = Stream(lambda: iter(parts), "batches")
    model = NMF(4, max_iter=30, **{"random_state": 0, **settings})
    found, memory = clone(model).fit(stream), model.fit(rows)
    np.testing.assert_allclose(found.components_, memory.components_, rtol=1e-6, atol=1e-9)
    assert found.n_iter_ == memory.n_iter_
    assert found.reconstruction_err_ == pytest.approx(memory.reconstruction_err_, rel=1e-9)
    np.testing.assert_allclose(
        found.certificate_.stationarity, memory.certificate_.stationarity, rtol=1e-4, atol=1e-9
    )


def test_an_iteration_is_a_pass():
    stream = Stream(lambda: iter([Batch(table())]), "batches")
    NMF(4, init="random", random_state=0, tol=0.0, max_iter=25).fit(stream)
    assert stream.passes <= 25 + 5  # what is known of X, the certificate


def test_bad_batches():
    parts = [Batch(table()), Batch(-table())]
    with pytest.raises(InvalidDataError, match="Negative values in data"):
        NMF(2).fit(Stream(lambda: iter(parts), "batches"))
    with pytest.raises(InvalidDataError, match="read only once"):
        NMF(2).fit(Stream(lambda: iter(parts), "a reader", repeatable=False))
