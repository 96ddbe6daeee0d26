"""Networks for tables as estimators: columns of any kind, weights, epochs, what is refused."""

import os
import signal
import subprocess
import sys
import textwrap

import numpy as np
import pandas as pd
import polars as pl
import pytest

import stylobate
from stylobate.base.validation import remember_features
from stylobate.data.mixed_columns import read_mixed_columns
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    NumericalError,
)
from stylobate.linear_model import LogisticRegression, Ridge
from stylobate.neural_network import TabularNetClassifier, TabularNetRegressor
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.tabular.shape import NetShape
from stylobate.neural_network.tabular.training import MemberNetwork, NetRows, TrainingPlan, train
from stylobate.parallel import threads
from stylobate.preprocessing import TableEncoder

SMALL = {"hidden_layer_sizes": (24,), "n_members": 3, "max_iter": 40, "random_state": 0}


@pytest.fixture(scope="module")
def table():
    """Numbers, categories and gaps; the target needs their interplay."""
    draw = np.random.RandomState(0)
    n = 600
    frame = pd.DataFrame(
        {
            "size": draw.lognormal(0.0, 1.0, n).round(3),
            "angle": draw.uniform(-3, 3, n).round(3),
            "rooms": draw.choice([1, 2, 3, 5, 8, 13, 21], n),
            "member": draw.choice(["yes", "no"], n),
            "colour": draw.choice(["red", "green", "blue"], n),
            "town": draw.choice([f"town {k}" for k in range(12)], n),
        }
    )
    gone = draw.rand(n) < 0.15
    y = np.sin(2 * frame["angle"]) + (frame["colour"] == "red") * np.log(frame["size"])
    y += frame["rooms"].isin([3, 8]) + np.where(gone, 2.0, 0.0) + 0.1 * draw.standard_normal(n)
    frame.loc[gone, "size"] = np.nan
    frame.loc[draw.rand(n) < 0.1, "colour"] = None
    return frame, y.to_numpy()


@pytest.fixture(scope="module")
def regressor(table):
    return TabularNetRegressor(**SMALL).fit(*table)


def test_learns_what_a_linear_model_cannot(table):
    X, y = table
    model = TabularNetRegressor((64,), random_state=0).fit(X[:450], y[:450])
    design = TableEncoder(scale=True).set_output(transform="default").fit(X[:450])
    linear = Ridge().fit(design.transform(X[:450]), y[:450])
    assert linear.score(design.transform(X[450:]), y[450:]) < 0.6
    assert model.score(X[450:], y[450:]) > 0.75


def test_probabilities_are_worth_their_name(table):
    X, y = table
    labels = np.digitize(y, np.quantile(y, [1 / 3, 2 / 3]))
    model = TabularNetClassifier((64,), random_state=0).fit(X[:450], labels[:450])
    design = TableEncoder(scale=True).set_output(transform="default").fit(X[:450])
    linear = LogisticRegression().fit(design.transform(X[:450]), labels[:450])
    theirs = linear.predict_proba(design.transform(X[450:]))
    ours = model.predict_proba(X[450:])
    truth = (np.arange(150), labels[450:])
    assert -np.log(ours[truth]).mean() < -np.log(theirs[truth]).mean() - 0.1
    np.testing.assert_allclose(ours.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_allclose(model.predict_log_proba(X[450:]), np.log(ours))


def test_frames_of_other_libraries_give_the_same(table, regressor):
    X, y = table
    twin = TabularNetRegressor(**SMALL).fit(pl.from_pandas(X), y.tolist())
    np.testing.assert_array_equal(twin.predict(pl.from_pandas(X)), regressor.predict(X))


def test_same_bits_with_any_number_of_threads(table, regressor):
    X, y = table
    for count in (1, 3):
        with threads(count):
            twin = TabularNetRegressor(**SMALL).fit(X, y)
            np.testing.assert_array_equal(twin.parameters_, regressor.parameters_)


def test_gaps_and_categories_never_seen_are_no_error(table, regressor):
    X, _ = table
    rows = X[:4].copy()
    rows.loc[0, ["size", "angle", "rooms", "member", "colour", "town"]] = None
    rows.loc[1, "colour"] = "violet"
    rows.loc[2, "size"] = 1e30
    answers = regressor.predict(rows)
    assert regressor.shape_.categories[-1] == 7  # values of a number have vectors of their own
    low, high = regressor.target_range_
    assert np.isfinite(answers).all()
    assert ((low <= answers) & (answers <= high)).all()


def test_rows_of_weight_zero_are_no_rows(table):
    X, y = table
    kept = np.arange(len(y)) % 3 > 0
    weighted = TabularNetRegressor(**SMALL).fit(X, y, sample_weight=kept.astype(float))
    without = TabularNetRegressor(**SMALL).fit(X[kept], y[kept])
    np.testing.assert_array_equal(weighted.parameters_, without.parameters_)


def test_class_weights_are_weights_of_rows(table):
    X, y = table
    labels = np.where(y > np.quantile(y, 0.9), "high", "low")
    balanced = TabularNetClassifier(**SMALL, class_weight="balanced").fit(X, labels)
    factors = np.where(labels == "high", 600 / (2 * 60), 600 / (2 * 540))
    weighted = TabularNetClassifier(**SMALL).fit(X, labels, sample_weight=factors)
    np.testing.assert_array_equal(balanced.parameters_, weighted.parameters_)
    plain = TabularNetClassifier(**SMALL).fit(X, labels)
    assert (balanced.predict(X) == "high").sum() > (plain.predict(X) == "high").sum()


def test_the_best_epoch_on_held_out_rows_is_kept(table):
    X, y = table
    settings = {**SMALL, "max_iter": 60, "n_iter_no_change": 4, "dropout": 0.0}
    model = TabularNetRegressor(**settings).fit(X, y)
    curve = model.validation_loss_curve_
    assert model.best_iter_ == int(np.argmin(curve)) + 1
    assert model.n_iter_ == len(curve) == len(model.loss_curve_)
    assert model.n_iter_ == 60 or model.n_iter_ == model.best_iter_ + 4
    assert TabularNetRegressor(**SMALL, early_stopping=False).fit(X, y).best_iter_ == 40
    few = TabularNetRegressor(**SMALL).fit(X[:100], y[:100])
    assert few.validation_loss_curve_ is None


def test_columns_chosen_by_hand():
    draw = np.random.RandomState(1)
    codes = draw.randint(0, 6, 400)
    X = np.column_stack([codes, draw.standard_normal(400)])
    y = np.array([3.0, -1.0, 2.0, -2.0, 0.5, -3.0])[codes] + 0.1 * X[:, 1]
    model = TabularNetRegressor(**SMALL, categorical_features=[0]).fit(X, y)
    assert model.shape_.categories == (6,)
    assert model.score(X, y) > 0.95
    assert TabularNetRegressor(**SMALL, categorical_features=None).fit(X, y).shape_.waved == 2
    with pytest.raises(InvalidParameterError, match="positions lie in"):
        TabularNetRegressor(**SMALL, categorical_features=[5]).fit(X, y)


def test_nothing_to_learn_from_gives_the_mean():
    X, y = np.ones((30, 2)), np.arange(30.0)
    model = TabularNetRegressor(**SMALL).fit(X, y)
    assert np.ptp(model.predict(X)) == 0.0
    assert model.predict(X)[0] == pytest.approx(14.5, abs=3.0)


def test_model_files_hold_all_of_it(table, regressor, tmp_path):
    from stylobate.storage import load, save

    save(regressor, tmp_path / "net.model")
    loaded = load(tmp_path / "net.model")
    np.testing.assert_array_equal(loaded.predict(table[0]), regressor.predict(table[0]))
    loaded.parameters_ = loaded.parameters_[:-1]
    with pytest.raises(ModelFileError, match="another network"):
        loaded._check_loaded()


def test_an_exploding_loss_is_told(table):
    with pytest.raises(NumericalError, match="in epoch 1; lower learning_rate_init"):
        TabularNetRegressor(**{**SMALL, "learning_rate_init": 1e30}).fit(*table)


class Exploding(TrainingPlan):
    """Steps that are far too long from the third epoch on."""

    def rates(self, epoch, steps):
        return np.full(steps, 0.01 if epoch < 2 else 1e38)


def test_an_explosion_keeps_what_was_before():
    shape = NetShape(1, 0, 16, 3, (), (8,), 1, 2, "identity")
    draw = np.random.RandomState(0)
    x = draw.standard_normal((50, 1)).astype(np.float32)
    rows = NetRows(x, np.zeros((50, 0), np.int32), Targets(x**2, None, None))
    network = MemberNetwork(shape, shape.draw(draw))
    plan = Exploding(5, 10, 0.01, 0.0, 0.0, 9)
    with pytest.warns(ConvergenceWarning, match="in epoch 3; lower .* The best epoch before"):
        history = train(network, rows, None, plan, draw, lambda *_: None, "example")
    assert (len(history.losses), history.best) == (2, 2)
    assert np.isfinite(network.parameters).all()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"hidden_layer_sizes": ()}, "at least one"),
        ({"dropout": 1.0}, "dropout"),
        ({"n_members": 0}, "n_members"),
        ({"early_stopping": True, "validation_fraction": 0.999}, "leaves 0 of 600 rows"),
    ],
)
def test_settings_that_make_no_sense(table, settings, words):
    with pytest.raises((InvalidParameterError, InvalidDataError), match=words):
        TabularNetRegressor(**{**SMALL, **settings}).fit(*table)


SCRIPT = """
    import os, signal, threading, time, warnings
    import numpy as np
    from stylobate.neural_network import TabularNetClassifier

    sent = []
    def interrupt():
        time.sleep(0.1)
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    class Told(TabularNetClassifier):
        def _tell(self, epoch, loss, held):
            if epoch == 1:
                threading.Thread(target=interrupt).start()

    x = np.random.default_rng(0).normal(size=(3_000, 10))
    model = Told((256, 256), max_iter=1000, n_iter_no_change=1000, random_state=0)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        model.fit(x, x[:, 0] * x[:, 1] > 0)
    assert np.isfinite(model.predict_proba(x[:9])).all() and model.n_iter_ >= 1
    print(time.perf_counter() - sent[0], said[-1].message)
"""


def test_an_interrupt_keeps_the_best_so_far(slowness):
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT)],
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert ran.stdout, ran.stderr
    seconds, said = ran.stdout.split(maxsplit=1)
    assert "the best so far is kept" in said
    assert float(seconds) < 2.0 * slowness()


# --- rows that come in parts ----------------------------------------------------------------------


def parts_of(table, count=3):
    X, y = table
    return [(X[k::count], y[k::count]) for k in range(count)]


def test_partial_fit_learns_like_epochs(table):
    X, y = table
    model = TabularNetRegressor((64,), n_members=3, random_state=0)
    first = X[:450], y[:450]
    for _ in range(12):
        for k in range(0, 450, 150):
            part = (X[k : k + 150], y[k : k + 150]) if hasattr(model, "parameters_") else first
            model.partial_fit(*part)
    assert model.score(X[450:], y[450:]) > 0.75
    assert model.n_iter_ == len(model.loss_curve_) == 36
    assert model.loss_curve_[-1] < 0.3 * model.loss_curve_[0]


def test_one_epoch_of_partial_fit_is_one_of_the_core(table):
    X, y = table
    model = TabularNetRegressor((8,), n_members=2, dropout=0.0, random_state=0).partial_fit(X, y)
    twin = TabularNetRegressor((8,), n_members=2, dropout=0.0, random_state=0)
    random = np.random.RandomState(0)
    targets, outputs, output = twin._read_target(y, len(y), None)
    columns = read_mixed_columns(X, owner="twin")
    remember_features(twin, columns)
    encoded = twin._learn_columns(X, columns, random)
    network = twin._begun(outputs, output, random)
    rows = NetRows(*twin._design.rows(encoded, twin.scaler_), targets)
    plan = twin._plan(len(rows))
    order = np.random.RandomState(network.seed).permutation(600)
    network.epoch(rows, order, np.full(round(600 / plan.batch), 0.1), plan)
    np.testing.assert_array_equal(model.parameters_, network.parameters)


def test_parts_go_on_where_the_last_stopped(table, tmp_path):
    (first, second, third) = parts_of(table)
    labels = np.array(["low", "high"])

    def classes(y):
        return labels[(y > 0.5).astype(int)]

    whole = TabularNetClassifier((16,), n_members=2, random_state=0)
    whole.partial_fit(first[0], classes(first[1]), classes=labels)
    path = whole.save(tmp_path / "net.stylobate")
    again = stylobate.load(path)
    for model in (whole, again):
        for X, y in (second, third):
            model.partial_fit(X, classes(y))
    np.testing.assert_array_equal(whole.parameters_, again.parameters_)
    with threads(7):
        other = TabularNetClassifier((16,), n_members=2, random_state=0)
        for X, y in (first, second, third):
            other.partial_fit(X, classes(y), classes=labels)
    np.testing.assert_array_equal(whole.parameters_, other.parameters_)
    fresh = TabularNetClassifier((16,), n_members=2, max_iter=2, random_state=0)
    fresh.partial_fit(first[0], classes(first[1]), classes=labels).fit(
        *(second[0], classes(second[1]))
    )
    plain = TabularNetClassifier((16,), n_members=2, max_iter=2, random_state=0)
    plain.fit(second[0], classes(second[1]))
    np.testing.assert_array_equal(fresh.parameters_, plain.parameters_)
    plain.partial_fit(third[0], classes(third[1]))  # after fit the network goes on, too
    assert (plain.parameters_ != fresh.parameters_).any()
    assert plain.n_iter_ == 3


def test_parts_bring_new_ranges_and_weights(table):
    X, y = table
    model = TabularNetRegressor((8,), n_members=2, random_state=0).partial_fit(X[:300], y[:300])
    model.partial_fit(X[300:], y[300:] + 50.0)
    assert model.target_range_[1] == (y[300:] + 50.0).max()
    heavy, light = (
        TabularNetRegressor((8,), n_members=2, random_state=0).partial_fit(X, y, weights)
        for weights in (np.full(600, 3.0), None)
    )
    np.testing.assert_allclose(heavy.parameters_, light.parameters_, atol=1e-5)
    one_row = model.partial_fit(X[:1], y[:1])
    assert np.isfinite(one_row.predict(X)).all()


def test_what_parts_cannot_be(table):
    X, y = table
    labels = (y > 0.5).astype(int)
    model = TabularNetClassifier((8,), n_members=2, random_state=0)
    with pytest.raises(InvalidDataError, match="classes must be passed on the first call"):
        model.partial_fit(X, labels)
    model.partial_fit(X, labels, classes=[0, 1])
    before = model.parameters_.copy()
    for wrong, given in (
        ("not among the classes", {"y": np.full(600, 2)}),
        ("not the same as on last call", {"y": labels, "classes": [0, 1, 2]}),
    ):
        with pytest.raises(InvalidDataError, match=wrong):
            model.partial_fit(X, **given)
    with pytest.raises(InvalidDataError, match="feature"):
        model.partial_fit(X.iloc[:, :3], labels)
    for wrong, changed in (
        ("early_stopping=True", {"early_stopping": True}),
        ("class_weight='balanced'", {"class_weight": "balanced"}),
    ):
        with pytest.raises(InvalidParameterError, match=wrong):
            TabularNetClassifier(**changed).partial_fit(X, labels, classes=[0, 1])
    numbers = TabularNetRegressor((8,), n_members=2, random_state=0).partial_fit(X, y)
    for bad in (np.full(600, np.nan), None):
        with pytest.raises(InvalidDataError):
            numbers.partial_fit(X, bad)
    numbers.set_params(learning_rate_init=1e30)
    kept = numbers.parameters_.copy()
    with pytest.raises(NumericalError, match="The network is what it was"):
        numbers.partial_fit(X, y)
    np.testing.assert_array_equal(numbers.parameters_, kept)
    np.testing.assert_array_equal(model.parameters_, before)
