"""Expected errors and best predictors: closed forms, and brute force over all rules."""

from __future__ import annotations

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, stats

from stylobate.decision import (
    ClassDensities,
    CostMatrix,
    JointDensity,
    JointTable,
    best_predictor,
    expected_prediction_error,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import EpsilonInsensitive, Hinge, Huber, Quantile

tables = st.lists(st.integers(0, 6), min_size=9, max_size=9).filter(any)


@settings(max_examples=20)
@given(tables)
def test_no_rule_on_a_table_is_better(counts):
    y = np.array([0.0, 1.0, 5.0])
    table = JointTable.from_counts(np.reshape(counts, (3, 3)), y=y)
    cost = CostMatrix([[0, 1, 4], [2, 0, 1], [9, 3, -1]], classes=y)
    for loss in ("zero_one", "absolute", Quantile(0.8), cost, lambda a, b: np.abs(a - b) ** 1.5):
        least = min(expected_prediction_error(rule, table, loss) for rule in product(y, repeat=3))
        best = best_predictor(table, loss)
        assert best.expected_error == pytest.approx(least, abs=1e-12)
        assert best.expected_error.method == "exact sum"


@settings(max_examples=20)
@given(tables, st.lists(st.floats(-1, 6), min_size=3, max_size=3))
def test_mean_and_huber_are_better_than_any_other_numbers(counts, rule):
    table = JointTable.from_counts(np.reshape(counts, (3, 3)), y=[0.0, 1.0, 5.0])
    for loss in ("squared", Huber(0.7), EpsilonInsensitive(0.3), "absolute"):
        least = best_predictor(table, loss).expected_error
        assert least <= expected_prediction_error(rule, table, loss) + 1e-12
        nearby = best_predictor(table, loss)([0, 1, 2]).astype(float) + 1e-4
        assert least <= expected_prediction_error(nearby, table, loss) + 1e-12


def test_means_medians_modes_by_hand():
    table = JointTable([[0.1, 0.2, 0.2], [0.3, 0.0, 0.2]], x=["a", "b"], y=[0, 1, 5])
    np.testing.assert_allclose(best_predictor(table, "squared")(["b", "a"]), [2.0, 2.4])
    assert best_predictor(table, "absolute")(["a", "b"]).tolist() == [1.0, 0.0]
    assert best_predictor(table, "zero_one").predict([["a"], ["b"]]).tolist() == [1, 0]
    assert best_predictor(table, "absolute").kind == "conditional median"
    # E(Y - E(Y|X))² = E Var(Y | X)
    within = 0.5 * (0.2 * 2.4**2 + 0.4 * 1.4**2 + 0.4 * 2.6**2) + 0.5 * (0.6 * 4 + 0.4 * 9)
    assert best_predictor(table, "squared").expected_error == pytest.approx(within)


def test_rules_in_any_form():
    table = JointTable([[0.3, 0.1], [0.2, 0.4]], x=["calm", "stormy"], y=["sail", "stay"])
    rules = [
        {"calm": "sail", "stormy": "stay"},
        ["sail", "stay"],
        lambda x: "sail" if x == "calm" else "stay",
        lambda x: np.where(x == "calm", "sail", "stay"),
        best_predictor(table, "zero_one"),
    ]
    assert {float(expected_prediction_error(rule, table)) for rule in rules} == {0.1 + 0.2}
    assert expected_prediction_error(lambda x: "stay", table) == pytest.approx(0.5)
    assert str(expected_prediction_error(rules[0], table)) == "0.3 (exact sum)"


def test_tables_from_frames_and_data():
    frame = pd.DataFrame({"no": [3, 1], "yes": [2, 4]}, index=["calm", "stormy"])
    table = JointTable.from_counts(frame)
    assert (table.x.tolist(), table.y.tolist()) == (["calm", "stormy"], ["no", "yes"])
    x, y = table.sample(20_000, random_state=0)
    again = JointTable.from_data(x, y)
    assert again.x.tolist() == ["calm", "stormy"]
    np.testing.assert_allclose(again.probabilities, table.probabilities, atol=0.02)
    unseen = JointTable([[0, 0], [0.25, 0.75]])
    np.testing.assert_allclose(unseen.conditional, [[0.25, 0.75]] * 2)


@settings(max_examples=25)
@given(st.floats(0.1, 6), st.floats(0.05, 0.95), st.floats(0.3, 3))
def test_two_normal_classes_in_closed_form(distance, prior, scale):
    model = ClassDensities(
        [stats.norm(0, scale), stats.norm(distance * scale, scale)], [1 - prior, prior]
    )
    cut = distance / 2 + np.log((1 - prior) / prior) / distance  # in units of the scale
    least = (1 - prior) * stats.norm.sf(cut) + prior * stats.norm.cdf(cut - distance)
    found = best_predictor(model, "zero_one").expected_error
    assert found == pytest.approx(least, rel=1e-9, abs=1e-14)
    assert found.method == "distribution functions"
    if prior == 0.5:
        assert found == pytest.approx(stats.norm.cdf(-distance / 2))
    elsewhere = expected_prediction_error(lambda x: x > (cut + 0.3) * scale, model)
    assert elsewhere >= found - 1e-12


def test_functions_are_integrated():
    exact = ClassDensities([stats.norm(0, 1), stats.norm(2, 1)], [0.3, 0.7])
    given_as_functions = ClassDensities(
        [lambda x: np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), stats.norm(2, 1).pdf],
        [0.3, 0.7],
        support=(-9, 11),
    )
    for rule in (lambda x: x > 0.2, lambda x: np.abs(x - 1) > 0.5):
        a, b = (expected_prediction_error(rule, m) for m in (exact, given_as_functions))
        assert b.method == "quadrature"
        assert a == pytest.approx(b, abs=1e-9)


def test_a_rule_that_is_no_step_function():
    """The squared error of the posterior probability: E p(1 - p), by SciPy's own quadrature."""
    model = ClassDensities([stats.norm(0, 1), stats.norm(2, 1)])
    best = best_predictor(model, "squared")

    def integrand(x):
        p = best([x])[0]
        return p * (1 - p) * 0.5 * (stats.norm.pdf(x) + stats.norm.pdf(x, 2))

    expected = integrate.quad(integrand, -10, 12, epsabs=1e-12)[0]
    assert best.expected_error == pytest.approx(expected, abs=1e-9)


def test_two_coordinates_and_more():
    normal = stats.multivariate_normal
    plane = ClassDensities([normal([0, 0]), normal([1, 1])])
    found = best_predictor(plane, "zero_one").expected_error
    assert found.method == "quadrature"
    assert found == pytest.approx(stats.norm.cdf(-np.sqrt(2) / 2), abs=1e-7)
    space = ClassDensities([normal([0, 0, 0]), normal([2, 0, 0])])
    drawn = expected_prediction_error(lambda x: x[:, 0] > 1, space, random_state=0)
    assert drawn.method == "Monte Carlo"
    assert abs(drawn - stats.norm.cdf(-1)) < 4 * drawn.uncertainty < 0.01


def test_anything_that_can_be_drawn_from():
    class Dice:
        def sample(self, n, random_state=None):
            draw = np.random.RandomState(random_state)
            first = draw.randint(1, 7, n)
            return first, first + draw.randint(1, 7, n)

    found = expected_prediction_error(lambda x: x + 3.5, Dice(), "squared", random_state=0)
    assert abs(found - 35 / 12) < 4 * found.uncertainty
    assert "± " in repr(found)
    assert pickle.loads(pickle.dumps(found)).uncertainty == found.uncertainty


def test_regression_with_a_known_density():
    model = JointDensity.from_conditional(
        stats.uniform(0, 1), lambda x: stats.norm(np.sin(3 * x), 0.2 + x)
    )
    x = np.array([0.1, 0.5, 0.9])
    given_x = stats.norm(np.sin(3 * x), 0.2 + x)
    for loss in ("squared", "absolute", Huber(0.5), lambda y, z: np.abs(y - z) ** 3):
        np.testing.assert_allclose(best_predictor(model, loss)(x), np.sin(3 * x), atol=2e-6)
    np.testing.assert_allclose(best_predictor(model, Quantile(0.9))(x), given_x.ppf(0.9), atol=1e-9)
    variance = (1.2**3 - 0.2**3) / 3
    assert best_predictor(model, "squared").expected_error == pytest.approx(variance, abs=1e-8)
    mean_sd = 0.7
    absolute = expected_prediction_error(lambda x: np.sin(3 * x), model, "absolute")
    assert absolute == pytest.approx(mean_sd * np.sqrt(2 / np.pi), abs=1e-8)
    shifted = expected_prediction_error(lambda x: np.sin(3 * x) + 0.5, model, "squared")
    assert shifted == pytest.approx(variance + 0.25, abs=1e-8)


def test_a_skewed_density_has_another_median():
    model = JointDensity.from_conditional(stats.uniform(1, 1), lambda x: stats.expon(0, x))
    np.testing.assert_allclose(best_predictor(model, "squared")([1.5]), 1.5, atol=1e-6)
    np.testing.assert_allclose(best_predictor(model, "absolute")([1.5]), 1.5 * np.log(2), atol=1e-9)


def test_statements_of_the_lecture():
    """Squared loss: conditional mean; absolute: median; k nearest neighbours come near both."""
    rng = np.random.default_rng(0)
    model = JointDensity.from_conditional(stats.uniform(0, 1), lambda x: stats.norm(x**2, 0.1))
    x = rng.random(20_000)
    y = x**2 + 0.1 * rng.normal(size=20_000)
    near = np.argsort(np.abs(x - 0.6))[:400]
    assert y[near].mean() == pytest.approx(best_predictor(model, "squared")([0.6])[0], abs=0.02)
    assert np.median(y[near]) == pytest.approx(
        best_predictor(model, "absolute")([0.6])[0], abs=0.02
    )


LETTERS = JointTable([[0.5, 0.5]], y=["a", "b"])
PAIR = [stats.norm(0), stats.norm(1)]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: JointTable([[0.5, 0.6]]), "sum to 1.1 .*from_counts"),
        (lambda: JointTable([[1.5, -0.5]]), "probabilities\\[0, 1\\] is -0.5"),
        (lambda: JointTable([[np.nan, 1.0]]), "is nan"),
        (lambda: JointTable([0.5, 0.5]), "shape \\(2,\\)"),
        (lambda: JointTable([[0.5, 0.5]], y=["a", "a"]), "2 different values"),
        (lambda: JointTable.from_counts([[0, 0]]), "all counts are 0"),
        (lambda: JointTable.from_counts([[1, -1]]), "counts\\[0, 1\\] is -1"),
        (lambda: best_predictor(LETTERS, "squared"), "of numbers and the values of y are"),
        (lambda: best_predictor(LETTERS, "cubed"), "loss must be"),
        (lambda: best_predictor(LETTERS, Hinge()), "loss of margins"),
        (lambda: best_predictor(LETTERS, CostMatrix(np.eye(2))), "is for the classes"),
        (lambda: best_predictor(LETTERS, "zero_one")([7]), "x = 7 is not among"),
        (lambda: best_predictor(3.0), "distribution must be"),
        (lambda: expected_prediction_error({}, LETTERS), "says nothing for x = 0"),
        (lambda: expected_prediction_error(["a", "b"], LETTERS), "one decision for each of the 1"),
        (lambda: expected_prediction_error(["a"], 3.0), "distribution must be"),
        (lambda: ClassDensities(PAIR, [0.5, 0.6]), "priors sum to 1.1"),
        (lambda: ClassDensities(PAIR, [1.5, -0.5]), "at least 0"),
        (lambda: ClassDensities(PAIR, [1.0]), "expected \\(2,\\)"),
        (lambda: ClassDensities(PAIR, {0: 0.5, 2: 0.5}), "name each of the classes"),
        (lambda: ClassDensities(PAIR[0], [1.0]), "a mapping or a sequence"),
        (lambda: ClassDensities(PAIR).posterior(["a"]), "points must hold numbers"),
        (lambda: JointTable([["a", "b"]]), "must hold numbers only, got"),
        (lambda: ClassDensities(PAIR[:1]), "at least two classes"),
        (lambda: ClassDensities([PAIR[0], "normal"]), "density 1 must be"),
        (lambda: ClassDensities([np.exp, np.exp]), "support="),
        (lambda: ClassDensities([np.exp, np.exp], support=(0, 1)), "integrates to 1.71828"),
        (lambda: ClassDensities([np.sin, np.sin], support=(-1, 4)), "must be numbers of at least"),
        (lambda: ClassDensities(PAIR).posterior([np.nan]), "not NaN"),
        (lambda: ClassDensities(PAIR).posterior([[1.0, 2.0]]), "got shape \\(1, 2\\)"),
        (lambda: JointDensity(lambda x, y: 2.0 + 0 * y, (0, 1), (0, 1)), "integrates to 2"),
        (lambda: JointDensity(lambda x, y: y, (0, np.inf), (0, 1)), "finite numbers"),
        (lambda: JointDensity(lambda x, y: y, (-1, 1), (-1, 1)), "negative or NaN"),
        (lambda: JointDensity(3, (0, 1), (0, 1)), "function of"),
        (lambda: best_predictor(JointDensity(lambda x, y: 1 + 0 * y, (0, 1), (0, 1)), "zero_one")(
            [0.5]), "is of labels"),
    ],
)  # fmt: skip
def test_refused(make, words):
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        make()


def test_marginals_and_conditionals_of_a_normal_pair_are_normal():
    from scipy.stats import multivariate_normal, norm

    rho = 0.6
    pair = multivariate_normal([0.0, 0.0], [[1.0, rho], [rho, 1.0]])
    density = JointDensity(
        lambda x, y: pair.pdf(np.stack(np.broadcast_arrays(x, y), axis=-1)), x=(-8, 8), y=(-8, 8)
    )
    at = np.array([-1.3, 0.0, 2.0, 50.0])
    np.testing.assert_allclose(density.marginal_x(at), norm.pdf(at), atol=1e-12)
    np.testing.assert_allclose(density.marginal_y(at), norm.pdf(at), atol=1e-12)
    given = norm(rho * 0.7, np.sqrt(1 - rho**2))
    np.testing.assert_allclose(density.conditional(at, x=0.7), given.pdf(at), atol=1e-12)


def test_marginals_of_a_triangle():
    """Uniform on 0 < y < x < 1: p(x) = 2x, p(y) = 2(1 − y), y | x uniform up to x."""
    triangle = JointDensity(lambda x, y: 2.0 + 0 * (x + y), x=(0, 1), y=lambda x: (0, x))
    at = np.array([0.1, 0.37, 0.9, 1.5, -0.5])
    inside = (at >= 0) & (at <= 1)
    np.testing.assert_allclose(triangle.marginal_x(at), np.where(inside, 2 * at, 0), atol=1e-12)
    np.testing.assert_allclose(
        triangle.marginal_y(at), np.where(inside, 2 * (1 - at), 0), atol=1e-9
    )
    np.testing.assert_allclose(triangle.conditional([0.1, 0.39, 0.41], x=0.4), [2.5, 2.5, 0.0])
    with pytest.raises(InvalidDataError, match="density 0"):
        triangle.conditional([0.5], x=2.0)


def test_there_is_one_joint_table():
    from stylobate import decision, exploration

    assert exploration.JointTable is decision.JointTable
