"""Multi-layer perceptrons against scikit-learn's, finite differences, and themselves."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from stylobate.exceptions import ConvergenceWarning, InvalidDataError, InvalidParameterError
from stylobate.neural_network import MLPClassifier, MLPRegressor
from stylobate.neural_network.engine import Perceptron, Targets
from stylobate.parallel import threads

pytestmark = pytest.mark.filterwarnings("ignore::stylobate.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def rows():
    draw = np.random.RandomState(0)
    x = draw.standard_normal((230, 13))
    return x, (np.abs(x[:, 0]) + x[:, 1] > 0.8).astype(int) + (x[:, 2] > 1), draw.rand(230)


SETTINGS = [
    {},
    {"hidden_layer_sizes": (30, 7), "early_stopping": True, "activation": "tanh"},
    {"solver": "sgd", "learning_rate": "adaptive", "learning_rate_init": 0.1, "batch_size": 32},
    {
        "solver": "sgd",
        "learning_rate": "invscaling",
        "nesterovs_momentum": False,
        "activation": "logistic",
        "shuffle": False,
    },
    {"hidden_layer_sizes": (), "alpha": 1.0},
    {"activation": "identity", "batch_size": 230},
]


def same_course(ours, theirs, tol=1e-12):
    np.testing.assert_allclose(ours.loss_curve_, theirs.loss_curve_, rtol=tol)
    for a, b in zip(
        ours.coefs_ + ours.intercepts_, theirs.coefs_ + theirs.intercepts_, strict=True
    ):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a, b, rtol=1e3 * tol, atol=10 * tol)
    assert ours.n_iter_ == theirs.n_iter_
    assert ours.t_ == theirs.t_
    assert ours.out_activation_ == theirs.out_activation_
    if ours.validation_scores_ is not None:
        np.testing.assert_allclose(ours.validation_scores_, theirs.validation_scores_)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
def test_classifiers_train_as_scikit_learns(rows, settings, weighted, classes):
    peer = pytest.importorskip("sklearn.neural_network")
    x, y, w = rows
    settings = {"random_state": 3, "max_iter": 4, **settings}
    y, w = np.minimum(y, classes - 1), w if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer.MLPClassifier(**settings).fit(x, y, sample_weight=w)
    ours = MLPClassifier(**settings).fit(x, y, sample_weight=w)
    same_course(ours, theirs)
    np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x), rtol=1e-9)
    assert (ours.predict(x) == theirs.predict(x)).all()


@pytest.mark.parametrize("loss", ["squared_error", "poisson"])
@pytest.mark.parametrize(("dtype", "tol"), [(np.float64, 1e-12), (np.float32, 1e-5)])
def test_regressors_train_as_scikit_learns(rows, loss, dtype, tol):
    peer = pytest.importorskip("sklearn.neural_network")
    x, y, _ = rows
    x, target = x.astype(dtype), np.column_stack([y, 2.0 * y + 1.0])
    settings = {"random_state": 5, "max_iter": 5, "hidden_layer_sizes": (9,)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = peer.MLPRegressor(loss, **settings).fit(x, target)
    ours = MLPRegressor(loss, **settings).fit(x, target)
    same_course(ours, theirs, tol)
    assert ours.predict(x).dtype == dtype
    np.testing.assert_allclose(ours.predict(x), theirs.predict(x), rtol=1e3 * tol, atol=10 * tol)


@pytest.mark.parametrize("output", ["identity", "exp", "logistic", "softmax"])
@pytest.mark.parametrize("hidden", ["identity", "logistic", "tanh", "relu"])
def test_gradients_are_those_of_finite_differences(output, hidden):
    draw = np.random.RandomState(1)
    x, k = draw.standard_normal((17, 5)), 3
    shapes = [(5, 4), (4, 6), (6, k)]
    coefs = [draw.standard_normal(shape) * 0.4 for shape in shapes]
    network = Perceptron.of(coefs, [draw.standard_normal(s[1]) for s in shapes], hidden, output)
    values = draw.rand(17, k)
    if output == "softmax":
        values /= values.sum(axis=1, keepdims=True)
    y = Targets(values, None, draw.rand(17))
    # the squared error's derivative is that of the sum over outputs, its value that of their mean
    factor = k if output == "identity" else 1
    _, gradient = network.gradient(x, y)
    h = 1e-6
    for j in range(0, len(gradient), 5):
        step = np.zeros_like(gradient)
        step[j] = h
        up, _ = network.at(network.parameters + step).gradient(x, y)
        down, _ = network.at(network.parameters - step).gradient(x, y)
        assert gradient[j] == pytest.approx(factor * (up - down) / (2 * h), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_same_bits_for_any_number_of_threads(dtype):
    draw = np.random.RandomState(2)
    x, y = draw.standard_normal((450, 300)).astype(dtype), draw.randint(4, size=450)
    answers = []
    for count in (1, 2, 7):
        with threads(count):
            model = MLPClassifier((130,), max_iter=2, random_state=0).fit(x, y)
            answers.append([*model.coefs_, *model.intercepts_, model.predict_proba(x)])
    for other in answers[1:]:
        assert all((a == b).all() for a, b in zip(answers[0], other, strict=True))


def test_sparse_rows_give_the_answers_of_dense_ones(rows):
    x, y, _ = rows
    x = np.where(np.abs(x) > 1.0, x, 0.0)
    dense = MLPClassifier(random_state=0, max_iter=3).fit(x, y)
    for kind in (sparse.csr_array, sparse.csc_matrix):
        other = MLPClassifier(random_state=0, max_iter=3).fit(kind(x), y)
        np.testing.assert_allclose(other.coefs_[0], dense.coefs_[0], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(other.predict_proba(kind(x)), dense.predict_proba(x), rtol=1e-9)


def test_lbfgs_reaches_a_stationary_point(rows):
    x, y, w = rows
    model = MLPRegressor(
        hidden_layer_sizes=(4,), activation="tanh", solver="lbfgs", alpha=1.0, tol=1e-6,
        max_iter=5000, random_state=0,
    ).fit(x, y.astype(float), sample_weight=w)  # fmt: skip
    network = model._network()
    _, gradient = network.gradient(x, Targets(y[:, np.newaxis].astype(float), None, w))
    gradient[: network.n_weights] += network.parameters[: network.n_weights]
    assert np.abs(gradient).max() / w.sum() < 1e-4
    assert not hasattr(model, "partial_fit")


def test_partial_fit_goes_on_where_it_stopped(rows):
    x, y, _ = rows
    whole = MLPClassifier(max_iter=3, random_state=0, shuffle=False, tol=0.0).fit(x, y)
    parts = MLPClassifier(random_state=0, shuffle=False)
    for _ in range(3):
        parts.partial_fit(x, y, classes=[0, 1, 2])
    assert all((a == b).all() for a, b in zip(whole.coefs_, parts.coefs_, strict=True))
    with pytest.raises(InvalidDataError, match="classes"):
        parts.partial_fit(x, y + 1)


def test_several_labels_at_a_time(rows):
    x, y, _ = rows
    labels = np.column_stack([y > 0, x[:, 3] > 0]).astype(int)
    model = MLPClassifier((30,), solver="lbfgs", max_iter=200, random_state=0).fit(x, labels)
    assert model.out_activation_ == "logistic"
    assert model.n_outputs_ == 2
    assert model.score(x, labels) > 0.95
    assert model.predict(x).shape == labels.shape


def test_refusals(rows):
    x, y, _ = rows
    with pytest.raises(InvalidParameterError, match="hidden_layer_sizes must be > 0"):
        MLPClassifier((3, 0)).fit(x, y)
    with pytest.raises(InvalidParameterError, match="early_stopping"):
        MLPClassifier(early_stopping=True).partial_fit(x, y, classes=[0, 1, 2])
    with pytest.raises(InvalidDataError, match="poisson"):
        MLPRegressor("poisson").fit(x, y - 1.0)
    with pytest.raises(ValueError, match="non-finite"):
        MLPRegressor(solver="sgd", learning_rate_init=1e6, max_iter=20).fit(x, y)
    warm = MLPClassifier((5,), warm_start=True, max_iter=1).fit(x, y)
    with pytest.raises(InvalidDataError, match="same classes"):
        warm.fit(x, y % 2)
    with pytest.raises(InvalidDataError, match="layers"):
        warm.set_params(hidden_layer_sizes=(6,)).fit(x, y)
    with pytest.warns(ConvergenceWarning, match="Maximum iterations"):
        MLPClassifier(max_iter=1).fit(x, y)
