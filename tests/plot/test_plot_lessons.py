"""Pictures of lessons: descents, unit balls, folds, perceptrons, projections, probabilities."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.decomposition import PCA
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LogisticRegression, Perceptron
from stylobate.losses import HalfSquared, Hinge, Logistic, SquaredHinge
from stylobate.model_selection import KFold, TimeSeriesSplit
from stylobate.optimize import (
    EmpiricalRisk,
    L1Ball,
    L2Ball,
    Newton,
    Problem,
    ProjectedGradient,
    Quadratic,
    check_subgradient,
    minimize,
)
from stylobate.plot import (
    plot_chord,
    plot_decision_boundary,
    plot_descent,
    plot_folds,
    plot_loss_contours,
    plot_margin_losses,
    plot_perceptron_updates,
    plot_residual_lines,
    plot_subgradients,
    plot_unit_balls,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))


def test_parabolas_have_their_lowest_point_where_newton_goes():
    found = minimize(lambda x: x[0] ** 4 - x[0], [2.0], method=Newton(), keep_path=True)
    ax = found.plot_path()
    parabolas = [line for line in ax.get_lines() if line.get_linestyle() == "--"]
    assert 1 <= len(parabolas) <= 3
    for line, target in zip(parabolas, found.path[1:, 0], strict=False):
        x, y = line.get_data()
        assert x[np.argmin(y)] == pytest.approx(target, abs=2 * (x[1] - x[0]))
    with pytest.raises(InvalidDataError, match="shape"):
        plot_descent(lambda x: x[0], [[1.0, 2.0]])


def test_outline_minimum_and_points_before_projection():
    q = Quadratic(np.array([[2.0, 0.6], [0.6, 1.0]]), [-4.0, -3.0])
    best = np.linalg.solve([[2.0, 0.6], [0.6, 1.0]], [4.0, 3.0])
    found = minimize(
        Problem(q, L1Ball(1.0)), [-1.0, 0.5], method=ProjectedGradient(0.3), keep_path=True,
        max_iter=4,
    )  # fmt: skip
    ax = found.plot_path(minimum=best, x_range=(-2, 3), y_range=(-2, 3))
    before = next(line for line in ax.get_lines() if line.get_gid() == "before").get_xydata()
    steps = found.path[:-1] - 0.3 * np.array([q.gradient(x) for x in found.path[:-1]])
    np.testing.assert_allclose(before, steps)
    np.testing.assert_allclose([L1Ball(1.0).project(p) for p in before], found.path[1:], atol=1e-12)
    cross = next(line for line in ax.get_lines() if line.get_gid() == "minimum")
    np.testing.assert_allclose(cross.get_xydata()[0], best)
    with pytest.raises(InvalidDataError, match="before"):
        plot_loss_contours(q, before=[[0.0, 0.0]])


def test_contours_of_a_risk_with_both_balls():
    risk = EmpiricalRisk(HalfSquared(), X, X @ [1.0, -1.0])
    ax = plot_loss_contours(risk, region=[L1Ball(1.0), L2Ball(1.0)], resolution=40)
    plain = plot_loss_contours(lambda w: risk.value(w), resolution=40)
    assert len(ax.collections) == len(plain.collections) + 4


def test_rims_of_balls_have_length_one():
    ax = plot_unit_balls([0.5, 1, 3, np.inf])
    for line, p in zip(ax.get_lines(), (0.5, 1, 3, np.inf), strict=True):
        rim = np.abs(line.get_xydata())
        length = rim.max(axis=1) if np.isinf(p) else (rim**p).sum(axis=1) ** (1 / p)
        np.testing.assert_allclose(length, 1.0)
    A = np.array([[2.0, 0.5], [0.5, 1.0]])
    ellipse = plot_unit_balls({"√xᵀAx": lambda x: np.sqrt(x @ A @ x)}, radius=2.0)
    rim = ellipse.get_lines()[0].get_xydata()
    np.testing.assert_allclose(np.einsum("ij,jk,ik->i", rim, A, rim), 4.0)
    for wrong in ({"norms": [0.0]}, {"radius": 0.0}, {"norms": {"0": lambda x: x[0]}}):
        with pytest.raises(InvalidParameterError, match="plot_unit_balls"):
            plot_unit_balls(**wrong)


def test_folds_cover_the_rows_they_are_given():
    ax = plot_folds(KFold(4, shuffle=True, random_state=0).split(np.zeros((12, 1))))
    tests = [c for c in ax.collections if c.get_gid() == "testing"]
    assert len(tests) == 4
    covered = set()
    for stripe in tests:
        for path in stripe.get_paths():
            left, right = path.get_extents().x0, path.get_extents().x1
            covered |= set(range(int(left + 0.5), int(right + 0.5)))
    assert covered == set(range(12))
    later = plot_folds(TimeSeriesSplit(3).split(np.zeros((8, 1))), labels=list("aabbaabb"))
    assert len(later.get_yticklabels()) == 4
    with pytest.raises(InvalidDataError, match="pairs"):
        plot_folds([])
    with pytest.raises(InvalidDataError, match="labels"):
        plot_folds([([0], [1])], labels=[1])


def test_lines_of_a_perceptron_are_its_weights():
    y = np.where(X @ [1.0, 2.0] + 0.3 > 0, 1, -1)
    history = Perceptron(shuffle=False).fit(X, y).history_
    ax = plot_perceptron_updates(history, X, y, updates=[2, 5])
    lines = [line for line in ax.get_lines() if line.get_marker() == "None"]
    for line, k in zip(lines, (2, 5), strict=True):
        np.testing.assert_allclose(
            line.get_xydata() @ history.weights[k] + history.intercept[k], 0.0, atol=1e-9
        )
    with pytest.raises(InvalidParameterError, match="numbered 0 to"):
        plot_perceptron_updates(history, X, y, updates=[10**6])
    with pytest.raises(InvalidParameterError, match="history_"):
        plot_perceptron_updates(None, X, y)


def test_residual_lines_are_perpendicular_and_least():
    cloud = X @ [[2.0, 1.0], [0.0, 0.5]]
    pca = PCA(1).fit(cloud)

    def squares(direction):
        ax = plot_residual_lines(cloud, pca.mean_, direction)
        segments = [line.get_xydata() for line in ax.get_lines()[2:]]
        ways = np.array([foot - row for row, foot in segments])
        np.testing.assert_allclose(ways @ direction, 0.0, atol=1e-12)
        return float((ways**2).sum())

    least = squares(pca.components_[0])
    total = float(((cloud - cloud.mean(axis=0)) ** 2).sum())
    assert least == pytest.approx(total - pca.explained_variance_[0] * (len(cloud) - 1))
    assert squares(np.array([1.0, 0.0])) > least
    with pytest.raises(InvalidDataError, match="two columns"):
        plot_residual_lines([[1.0]], [0.0, 0.0], [1.0, 0.0])


def test_chosen_probabilities_and_mistakes():
    y = (X @ [1.0, 2.0] + RNG.normal(size=40) > 0).astype(int)
    model = LogisticRegression().fit(X, y)
    ax = plot_decision_boundary(model, X, y, probabilities=[0.2, 0.8], mistakes=True, resolution=60)
    ringed = next(line for line in ax.get_lines() if line.get_gid() == "mistakes").get_xydata()
    np.testing.assert_allclose(ringed, X[model.predict(X) != y])
    for level, path in zip((0.2, 0.8), ax.collections[-1].get_paths(), strict=True):
        np.testing.assert_allclose(model.predict_proba(path.vertices)[:, 1], level, atol=0.01)
    with pytest.raises(InvalidParameterError, match="needs y"):
        plot_decision_boundary(model, X, mistakes=True, resolution=10)


@pytest.mark.parametrize("classes", [2, 3])
def test_lines_between_classes_are_where_their_scores_are_equal(classes):
    y = np.digitize(X @ [1.0, 0.7], [0.0, 0.8][: classes - 1])
    model = LogisticRegression().fit(X, y)
    ax = plot_decision_boundary(model, X, y, resolution=30)
    cell = max(np.ptp(ax.get_xlim()), np.ptp(ax.get_ylim())) / 29
    places = np.vstack([path.vertices for part in ax.collections for path in part.get_paths()])
    scores = np.atleast_2d(model.decision_function(places).T).T
    scores = np.column_stack([0 * scores, scores]) if classes == 2 else scores
    best = np.sort(scores, axis=1)
    assert len(places) > 20
    slope = np.abs(model.coef_).max() * (1 if classes == 2 else 2)
    inside = best[:, -1] - best[:, -2]
    assert np.median(inside) < 1e-9  # on the line, not on a corner of the grid's stairs
    assert inside.max() < slope * cell  # but where three meet


def test_models_without_smooth_scores_have_the_edges_of_their_answers():
    y = (X[:, 0] > 0).astype(int)

    class Voter:
        classes_ = np.array([0, 1])
        n_features_in_ = 2

        def predict(self, rows):
            return (np.asarray(rows)[:, 0] > 0).astype(int)

        def decision_function(self, rows):  # says something else than predict
            return np.asarray(rows) @ [-1.0, 1.0]

    ax = plot_decision_boundary(Voter(), X, y, resolution=40)
    places = np.vstack([path.vertices for part in ax.collections for path in part.get_paths()])
    assert np.abs(places[:, 0]).max() < np.ptp(ax.get_xlim()) / 39


def test_a_path_of_one_point_is_a_mark_without_steps():
    ax = plot_loss_contours(lambda w: w @ w, paths={"best": [[0.0, 1.0]]})
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["best"]


def test_a_chord_has_its_ends_on_the_function():
    def wave(x):
        return np.sin(3 * x[0]) + x[1] ** 2

    start, end, t = np.array([-1.0, 0.5]), np.array([1.0, 0.0]), 0.3
    curve, chord, between = plot_chord(wave, start, end, t).get_lines()
    shares, heights = curve.get_data()
    np.testing.assert_allclose(heights, [wave((1 - s) * start + s * end) for s in shares])
    np.testing.assert_allclose(chord.get_ydata(), [wave(start), wave(end)])
    on_chord = (1 - t) * wave(start) + t * wave(end)
    np.testing.assert_allclose(between.get_ydata(), [on_chord, wave((1 - t) * start + t * end)])


def test_surrogates_of_a_mistake_are_their_formulas_and_lie_above_it():
    losses = {"hinge": Hinge(), "logistic": Logistic(), "squared hinge": SquaredHinge()}
    formulas = {
        "hinge": lambda m: np.maximum(0, 1 - m),
        "logistic": lambda m: np.log1p(np.exp(-m)),
        "squared hinge": lambda m: np.maximum(0, 1 - m) ** 2,
    }
    lines = {line.get_label(): line.get_data() for line in plot_margin_losses(losses).get_lines()}
    m, mistake = lines["a mistake"]
    np.testing.assert_array_equal(mistake, m < 0)
    for name, formula in formulas.items():
        np.testing.assert_allclose(lines[name][1], formula(m), rtol=1e-12)
        scale = np.log(2) if name == "logistic" else 1.0  # log2 of the loss is an upper bound
        assert (lines[name][1] / scale >= mistake - 1e-12).all()


@pytest.mark.parametrize("way", [[1.0, 0.0], [0.6, -0.8]])
def test_subgradients_touch_from_below_and_others_are_dashed(way):
    def norm1(x):
        return np.abs(x).sum()

    x = np.array([0.0, 0.4])  # the subdifferential is [−1, 1] × {1}
    ax = plot_subgradients(norm1, x, [[-1.0, 1.0], [0.3, 1.0], [1.4, 1.0]], direction=way)
    curve, *planes, _ = ax.get_lines()
    for line, inside in zip(planes, (True, True, False), strict=True):
        assert (line.get_linestyle() == "-") == inside
        excess = line.get_ydata() - curve.get_ydata()
        assert (excess.max() < 1e-12) == inside
        assert abs(excess[200]) < 1e-12


def test_a_check_of_a_subgradient_draws_what_it_found():
    wrong = check_subgradient(lambda x: abs(x[0]), [0.0], [1.5], [-1.0], [1.0])
    curve, plane, _ = wrong.plot().get_lines()
    assert plane.get_linestyle() == "--"
    assert (plane.get_ydata() - curve.get_ydata()).max() == pytest.approx(
        1.5 * wrong.below, rel=0.02
    )
    right = check_subgradient(lambda x: abs(x[0]), [0.0], [0.5], [-1.0], [1.0])
    assert right.plot().get_lines()[1].get_linestyle() == "-"
    for given in ([[1.0, 2.0]], [[[1.0]]]):
        with pytest.raises(InvalidDataError, match="entries"):
            plot_subgradients(norm_of_three, np.zeros(3), given)


def norm_of_three(x):
    return np.abs(x).sum()
