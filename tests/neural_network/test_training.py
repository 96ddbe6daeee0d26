"""Training against NumPy step by step, and what may happen on the way."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
)
from stylobate.neural_network import Activation, BatchNorm, Dense, Dropout, Network
from stylobate.neural_network.training_progress import EpochProgress, spark_line
from stylobate.optimize import (
    LBFGS,
    SGD,
    AdaGrad,
    Adam,
    Constant,
    CosineDecay,
    Decaying,
    ExponentialDecay,
    RMSProp,
    StepDecay,
)
from stylobate.parallel import threads

DRAW = np.random.default_rng(0)
X = DRAW.standard_normal((50, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
CODES = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int)
RULES = [Constant(0.05), Decaying(0.2, 0.5), StepDecay(0.1, 4, 0.5), ExponentialDecay(0.1, 5, 0.7),
         CosineDecay(0.1, 10, 0.01, 3)]  # fmt: skip


def small(**options):
    return Network([Dense(4), Activation("tanh"), Dense(2)], 3, random_state=1, **options)


def classifier(dtype="float64"):
    layers = [Dense(6), Activation("relu"), Dense(2), Activation("softmax")]
    return Network(layers, 3, random_state=1, dtype=dtype)


def moves(method):
    """The rules of the methods as in their papers, in NumPy."""
    v, s = np.zeros(26), np.zeros(26)
    rate = method.step.rate

    def sgd(g, t):
        nonlocal v
        before, v = v, method.momentum * v - rate(t) * g
        if method.nesterov:  # Sutskever's form, seen from the point looked ahead to
            return -method.momentum * before + (1 + method.momentum) * v
        return v

    def adagrad(g, t):
        nonlocal s
        s = s + g * g
        return -rate(t) * g / (np.sqrt(s) + 1e-10)

    def rmsprop(g, t):
        nonlocal s
        s = method.decay * s + (1 - method.decay) * g * g
        return -rate(t) * g / (np.sqrt(s) + 1e-8)

    def adam(g, t):
        nonlocal v, s
        v = method.beta1 * v + (1 - method.beta1) * g
        s = method.beta2 * s + (1 - method.beta2) * g * g
        corrected = v / (1 - method.beta1**t), s / (1 - method.beta2**t)
        return -rate(t) * corrected[0] / (np.sqrt(corrected[1]) + 1e-8)

    return {SGD: sgd, AdaGrad: adagrad, RMSProp: rmsprop, Adam: adam}[type(method)]


def reference(method, decay, epochs=3):
    """A network of two layers, written out: losses of the epochs and last parameters."""
    theta, move = small().parameters.copy(), moves(method)
    draw, t, losses = np.random.default_rng(method.random_state), 0, []
    penalised = np.repeat([decay, 0.0, decay, 0.0], [12, 4, 8, 2])
    for _ in range(epochs):
        order, total = draw.permutation(50), 0.0
        for first in range(0, 50, method.batch):
            rows = order[first : first + method.batch]
            w, b, v, c = np.split(theta, [12, 16, 24])
            hidden = np.tanh(X[rows] @ w.reshape(3, 4) + b)
            away = hidden @ v.reshape(4, 2) + c - Y[rows]
            loss = 0.5 * (away**2).sum() / len(rows) + 0.5 * (penalised * theta**2).sum()
            d = away / len(rows)
            d1 = (d @ v.reshape(4, 2).T) * (1 - hidden**2)
            g = np.concatenate([(X[rows].T @ d1).ravel(), d1.sum(0), (hidden.T @ d).ravel(),
                                d.sum(0)]) + penalised * theta  # fmt: skip
            t, total = t + 1, total + loss * len(rows)
            theta = theta + move(g, t)
        losses.append(total / 50)
    return losses, theta


METHODS = [
    SGD(0.1, batch=8), SGD(Constant(0.05), batch=8, momentum=0.9, random_state=3),
    SGD(Constant(0.05), batch=8, momentum=0.9, nesterov=True), AdaGrad(Constant(0.1), batch=8),
    RMSProp(Constant(0.02), batch=8), Adam(Constant(0.05), batch=8),
    *(SGD(rule, batch=8, momentum=0.5) for rule in RULES),
    *(Adam(rule, batch=16) for rule in RULES),
    AdaGrad(RULES[4], batch=7), RMSProp(RULES[2], batch=50),
]  # fmt: skip


@pytest.mark.parametrize("method", METHODS, ids=str)
@pytest.mark.parametrize("decay", [0.0, 0.03])
def test_training_curves_are_those_of_numpy(method, decay):
    training = small().train(X, Y, method=method, epochs=3, weight_decay=decay)
    losses, theta = reference(method, decay)
    np.testing.assert_allclose(training.losses, losses, rtol=1e-11)
    np.testing.assert_allclose(training._run.parameters, theta, rtol=1e-9, atol=1e-11)


def test_schedules():
    assert [RULES[2].rate(t) for t in (1, 4, 5, 9)] == [0.1, 0.1, 0.05, 0.025]
    assert RULES[3].rate(11) == pytest.approx(0.1 * 0.7**2)
    rates = [RULES[4].rate(t) for t in range(1, 14)]
    assert rates[:3] == pytest.approx([0.1 / 3, 0.2 / 3, 0.1])
    assert rates[3] == pytest.approx(0.1)
    assert rates[10:] == pytest.approx([0.01] * 3)
    assert (np.diff(rates[3:]) <= 0).all()
    for wrong in (lambda: StepDecay(0.1, 0), lambda: ExponentialDecay(-1.0),
                  lambda: CosineDecay(0.1, 5, warmup=5), lambda: CosineDecay(0.1, 5, least=1.0),
                  lambda: StepDecay(0.1, 5, 1.5)):  # fmt: skip
        with pytest.raises(InvalidParameterError):
            wrong()


def test_weights_of_rows_are_repetitions():
    repeats = np.random.default_rng(1).integers(0, 4, 50)
    rows = np.repeat(np.arange(50), repeats)
    options = {"loss": "cross_entropy", "epochs": 4, "weight_decay": 0.1}
    weighted = classifier().train(
        X, CODES, method=Adam(0.05, batch=50), sample_weight=repeats, **options
    )
    repeated = classifier().train(
        X[rows], CODES[rows], method=Adam(0.05, batch=len(rows)), **options
    )
    np.testing.assert_allclose(weighted.losses, repeated.losses, rtol=1e-12)
    np.testing.assert_allclose(weighted.network.parameters, repeated.network.parameters, rtol=1e-9)


@pytest.mark.parametrize("method", [Adam(0.05, batch=20), LBFGS()], ids=["batches", "all rows"])
def test_class_weights_are_weights_of_rows(method):
    share = np.bincount(CODES)
    for asked, factors in (("balanced", 50 / (2 * share)), ({1: 3.0}, np.array([1.0, 3.0]))):
        options = {"loss": "cross_entropy", "epochs": 3, "method": method}
        by_class = classifier().train(X, CODES, class_weight=asked, **options)
        by_row = classifier().train(X, CODES, sample_weight=factors[CODES], **options)
        np.testing.assert_allclose(by_class.losses, by_row.losses, rtol=1e-12)


@pytest.mark.parametrize("scoring", ["accuracy", "roc_auc", "neg_log_loss", "f1", None])
def test_the_best_epoch_of_a_score_is_kept(scoring):
    from stylobate.metrics import get_scorer
    from stylobate.neural_network.training_loss import TrainingLoss
    from stylobate.neural_network.validation import Answers

    network, held = classifier(), (X[:20], CODES[:20])
    training = network.train(X[20:], CODES[20:], "cross_entropy", method=Adam(0.1, batch=10),
                             epochs=8, validation=held, scoring=scoring)  # fmt: skip
    assert len(training.scores) == 8
    best = training.network
    assert training.scores[training.best_epoch - 1] == max(training.scores)
    if scoring is None:
        again = -best.loss(*held, "cross_entropy")
    else:
        loss = TrainingLoss.of("cross_entropy", best._places)
        again = get_scorer(scoring)(Answers(best._bound(), loss, (3,)), *held)
    assert again == pytest.approx(max(training.scores), rel=1e-12)


def test_scores_of_numbers_and_one_sigmoid():
    from stylobate.metrics import accuracy_score, r2_score

    training = small().train(X, Y, validation=(X, Y), scoring="r2", epochs=2)
    assert max(training.scores) == pytest.approx(r2_score(Y, training.network.predict(X)))
    network = Network([Dense(1), Activation("sigmoid")], 3)
    training = network.train(X, CODES, "cross_entropy", validation=(X, CODES), scoring="accuracy")
    labels = (training.network.predict(X)[:, 0] > 0.5).astype(int)
    assert max(training.scores) == accuracy_score(CODES, labels)


def test_patience_ends_training():
    noise = np.random.default_rng(5).integers(0, 2, 50)
    training = classifier().train(X, noise, "cross_entropy", method=Adam(0.1, batch=10), epochs=500,
                                  validation=0.4, patience=4)  # fmt: skip
    assert training.ended == "nothing improved for 4 epochs"
    assert len(training.losses) == training.best_epoch + 4
    assert any("overfits" in words for words in training.findings()) or training.best_epoch > 2


def test_going_on_has_the_bits_of_one_training():
    layers = [Dense(8), BatchNorm(), Activation("relu"), Dropout(0.3), Dense(2)]
    network = Network(layers, 3, dtype="float32")
    options = {"method": Adam(CosineDecay(0.1, 40), batch=8), "validation": 0.2}
    whole = network.train(X, Y, epochs=6, **options)
    part = network.train(X, Y, epochs=2, **options)
    rest = network.train(X, Y, epochs=4, after=part, **options)
    assert rest.losses == whole.losses
    assert rest.scores == whole.scores
    assert (rest.network.parameters == whole.network.parameters).all()
    assert len(part.losses) == 2  # a value


KILLED = """
import os, signal, sys, numpy as np
from stylobate.neural_network import *
from stylobate.optimize import Adam
x = np.random.default_rng(0).standard_normal((60, 3))
network = Network([Dense(8), BatchNorm(), Activation("relu"), Dropout(0.3), Dense(1)], 3)
def told(epoch, *_):
    if epoch == 3:
        os.kill(os.getpid(), signal.SIGKILL)
network.train(x, x[:, 0], method=Adam(0.05, batch=8), epochs=6, validation=0.2,
              checkpoint=sys.argv[1], progress=told)
"""


def test_a_killed_training_goes_on_with_the_same_bits(tmp_path):
    path = tmp_path / "training.npz"
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, env=os.environ)
    assert done.returncode == -signal.SIGKILL
    assert [p.name for p in tmp_path.iterdir()] == ["training.npz"]
    x = np.random.default_rng(0).standard_normal((60, 3))
    network = Network([Dense(8), BatchNorm(), Activation("relu"), Dropout(0.3), Dense(1)], 3)
    options = {"method": Adam(0.05, batch=8), "epochs": 6, "validation": 0.2}
    told = []
    went_on = network.train(x, x[:, 0], checkpoint=path, **options,
                            progress=lambda epoch, *_: told.append(epoch))  # fmt: skip
    whole = network.train(x, x[:, 0], **options)
    assert told == [4, 5, 6]
    assert went_on.losses == whole.losses
    assert went_on.scores == whole.scores
    assert (went_on.network.parameters == whole.network.parameters).all()
    assert (went_on.network.state == whole.network.state).all()


def test_checkpoints_of_others_are_refused(tmp_path):
    path = tmp_path / "run.npz"
    small().train(X, Y, epochs=1, checkpoint=path)
    with pytest.raises(ModelFileError, match="another training"):
        classifier().train(X, CODES, "cross_entropy", epochs=1, checkpoint=path)
    with pytest.raises(ModelFileError, match="another training"):
        small().train(X, Y, epochs=1, checkpoint=path, method=Adam(0.5, batch=32))
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ModelFileError, match="not a checkpoint of a training, or is damaged"):
        small().train(X, Y, epochs=1, checkpoint=path)


def test_streams_are_rows_in_their_order():
    method = SGD(Constant(0.05), batch=8, momentum=0.9)
    parts = [(X[:20], Y[:20]), (X[20:], Y[20:])]
    options = {"method": method, "epochs": 3}
    listed = small().train(parts, **options)
    called = small().train(lambda: iter(parts), **options)
    assert listed.losses == called.losses
    theta, move, t = small().parameters.copy(), moves(method), 0
    for _ in range(3):
        for x, y in parts:
            for first in range(0, len(x), 8):
                some = slice(first, first + 8)
                t += 1
                g = small().with_parameters(theta).gradient(x[some], y[some])[1]
                theta = theta + move(g, t)
    np.testing.assert_allclose(listed._run.parameters, theta, rtol=1e-10)


def test_streams_of_named_columns_and_weights():
    import polars as pl

    columns = {"a": X[:, 0], "y": Y[:, 0], "b": X[:, 1], "c": X[:, 2]}
    network = Network([Dense(1)], 3)
    options = {"method": Adam(0.05, batch=16), "epochs": 2}
    named = network.train([pl.DataFrame(columns)], target="y", **options)
    plain = network.train([(X, Y[:, 0])], **options)
    assert named.losses == plain.losses
    weighted = network.train([(X, Y[:, 0], np.arange(50.0))], **options)
    assert weighted.losses != plain.losses


def test_streams_that_cannot_be_used_are_refused():
    with pytest.raises(InvalidDataError, match="y is missing"):
        small().train(X)
    with pytest.raises(Exception, match=r"once|again"):
        small().train(iter([(X, Y)]), epochs=2)
    with pytest.raises(InvalidDataError, match="empty"):
        small().train(lambda: iter([]), epochs=1)
    with pytest.raises(InvalidParameterError, match="balanced"):
        classifier().train([(X, CODES)], loss="cross_entropy", class_weight="balanced")
    with pytest.raises(InvalidParameterError, match="validation rows"):
        small().train([(X, Y)], validation=0.2)
    with pytest.raises(InvalidDataError, match=r"x must have shape \(n, 3\)"):
        small().train([(X[:, :2], Y)])


def test_augmentation_changes_batches_reproducibly():
    seen = []

    def noisy(x, random):
        seen.append(x.shape)
        x += random.normal(0, 0.5, x.shape)  # a copy: rows of the caller stay
        return x

    before = X.copy()
    options = {"method": Adam(0.05, batch=20), "epochs": 2}
    first = small().train(X, Y, augment=noisy, **options)
    again = small().train(X, Y, augment=noisy, **options)
    plain = small().train(X, Y, **options)
    assert first.losses == again.losses != plain.losses
    assert seen[:3] == [(20, 3), (20, 3), (10, 3)]
    assert (before == X).all()
    same = small().train(X, Y, augment=lambda x, random: x, **options)
    assert same.losses == plain.losses
    with pytest.raises(InvalidDataError, match="NaN"):
        small().train(X, Y, augment=lambda x, random: x * np.nan)


def test_adversaries_see_the_network_of_now():
    class Sign:
        sees_network = True

        def __call__(self, x, random, y, network):
            self.last = network
            return x + 0.1 * np.sign(network.input_gradient(x, y, "cross_entropy")[1])

    sign, options = Sign(), {"loss": "cross_entropy", "epochs": 3}
    hardened = classifier().train(X, CODES, augment=sign, **options)
    plain = classifier().train(X, CODES, **options)
    assert hardened.losses[0] > plain.losses[0]
    assert (sign.last.parameters != classifier().parameters).any()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("method", [Adam(0.05, batch=16), SGD(Constant(1e-3), batch=16)])
def test_training_has_the_same_bits_for_any_number_of_threads(dtype, method):
    layers = [Dense(300), BatchNorm(), Activation("selu"), Dropout(0.2), Dense(300), Dense(2)]
    network, found = Network(layers, 3, dtype=dtype), []
    for count in (1, 2, 7):
        with threads(count):
            found.append(network.train(X, Y, method=method, epochs=2, weight_decay=0.1))
    for other in found[1:]:
        assert other.losses == found[0].losses
        assert (other.network.parameters == found[0].network.parameters).all()


@pytest.mark.parametrize(
    ("x", "method", "advice"),
    [(X * 1e4, SGD(1.0, batch=10), "mean 0 and variance 1"), (X, SGD(500.0, batch=10), "try")],
)
def test_exploding_losses_say_why(x, method, advice):
    network = Network([Dense(8), Dense(8), Dense(2)], 3)
    with pytest.warns(ConvergenceWarning, match=advice):
        training = network.train(x, Y, method=method, epochs=50)
    assert "epoch" in training.ended
    assert np.isfinite(training.network.parameters).all()


def test_progress_is_told():
    told = []
    small().train(X, Y, epochs=3, validation=0.2, progress=lambda *news: told.append(news))
    assert [news[:2] for news in told] == [(1, 3), (2, 3), (3, 3)]
    assert [len(news[2]) for news in told] == [len(news[3]) for news in told] == [1, 2, 3]
    assert spark_line([1.0, 1.0]) == "▁▁"
    assert len(spark_line(range(100))) == 24
    with EpochProgress(None, 2) as progress:  # nobody sees it: no terminal
        progress._started -= 1.0
        progress.advance([1.0], [])


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"epochs": 0}, "epochs"), ({"weight_decay": -1.0}, "weight_decay"),
        ({"patience": 0}, "patience"), ({"scoring": "r2"}, "validation=0.1"),
        ({"validation": 1.5}, "share"), ({"validation": X}, "validation must be"),
        ({"method": "adam"}, "stylobate.optimize"), ({"class_weight": "balanced"}, "cross_entropy"),
        ({"method": LBFGS(), "patience": 3}, "patience goes with batches"),
        ({"loss": "hinge"}, "loss must be one of"),
    ],
)  # fmt: skip
def test_impossible_plans_are_refused(options, match):
    with pytest.raises(InvalidParameterError, match=match):
        small().train(X, Y, **options)


def test_impossible_weights_and_shares_are_refused():
    with pytest.raises(InvalidDataError, match="sample_weight"):
        small().train(X, Y, sample_weight=-np.ones(50))
    with pytest.raises(InvalidDataError, match="hold out"):
        small().train(X[:2], Y[:2], validation=0.1)
    other = Network([Dense(2)], 3).train(X, Y, epochs=1)
    with pytest.raises(InvalidParameterError, match="same layers"):
        small().train(X, Y, after=other)


@pytest.mark.parametrize("changed", ["x", "y", "fewer rows", "sample_weight"])
def test_a_checkpoint_of_other_rows_is_refused(tmp_path, changed):
    draw = np.random.default_rng(3)
    x, y, weights = draw.standard_normal((40, 3)), draw.standard_normal((40, 1)), np.ones(40)
    network, path = Network([Dense(4), Activation("tanh"), Dense(1)], 3), tmp_path / "run.npz"
    network.train(x, y, epochs=2, sample_weight=weights, checkpoint=path)
    again = network.train(x, y, epochs=3, sample_weight=weights, checkpoint=path)
    assert len(again.losses) == 3
    if changed == "x":
        x[17, 1] += 1e-9
    elif changed == "y":
        y[39] = 0.0
    elif changed == "sample_weight":
        weights[5] = 2.0
    else:
        x, y, weights = x[:-1], y[:-1], weights[:-1]
    with pytest.raises(ModelFileError, match="other rows"):
        network.train(x, y, epochs=4, sample_weight=weights, checkpoint=path)
