"""Pictures of models over a plane, of residuals, losses and trees hold what the models say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from stylobate import losses, plot
from stylobate.datasets import load_diabetes, load_penguins
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.linear_model import LinearRegression, LogisticRegression, Ridge
from stylobate.pipeline import make_pipeline
from stylobate.plot.shared.themes import LIGHT
from stylobate.preprocessing import StandardScaler


@pytest.fixture(scope="module")
def bills():
    X, y = load_penguins(return_X_y=True, as_frame=True)
    return X[["bill_length_mm", "bill_depth_mm"]], y


@pytest.fixture(scope="module")
def diabetes():
    return load_diabetes(return_X_y=True, as_frame=True)


def marked(ax, gid):
    return [line for line in ax.get_lines() if line.get_gid() == gid]


def nearest_class(image):
    """Which class colour each point of the picture has, whatever the paleness."""
    colors = np.array([to_rgb(LIGHT.color(k)) for k in range(3)]) - 1.0
    shade = np.asarray(image) - 1.0
    return np.argmax(
        np.einsum("ijc,kc->ijk", shade, colors / np.linalg.norm(colors, axis=1)[:, None]), axis=2
    )


@pytest.mark.parametrize(
    "model",
    [
        LogisticRegression(),
        make_pipeline(StandardScaler(), LogisticRegression()),
        KNeighborsClassifier(5),
        SVC(),
    ],
    ids=lambda each: type(each).__name__,
)
def test_boundaries_are_the_decisions(bills, model):
    X, y = bills
    model.fit(X, y)
    ax = plot.plot_decision_boundary(model, X, y, resolution=40)
    image = ax.images[0]
    left, right, bottom, top = image.get_extent()
    grid = np.meshgrid(np.linspace(left, right, 40), np.linspace(bottom, top, 40))
    rows = pd.DataFrame({name: g.ravel() for name, g in zip(X.columns, grid, strict=True)})
    codes = np.searchsorted(model.classes_, model.predict(rows)).reshape(40, 40)
    np.testing.assert_array_equal(nearest_class(image.get_array()), codes)
    drawn = marked(ax, "rows")
    assert sum(len(line.get_xdata()) for line in drawn) == len(X)
    assert [line.get_label() for line in drawn] == ["Adelie", "Chinstrap", "Gentoo"]
    assert ax.get_xlabel() == "bill_length_mm"


def test_boundaries_from_arrays_frames_and_numbers(bills):
    X, y = bills
    codes = (y == "Adelie").to_numpy()
    plain = LogisticRegression().fit(X.to_numpy(), codes)
    ax = plot.plot_decision_boundary(plain, X.to_numpy(), codes, resolution=20)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("x0", "x1")
    named = plot.plot_decision_boundary(
        plain, X.to_numpy(), resolution=20, names=["a $ b $", "c_d"], ax=Figure().subplots()
    )
    assert named.get_xlabel() == r"a \$ b \$"
    frame = pl.DataFrame({name: X[name].to_numpy() for name in X.columns})
    model = LogisticRegression().fit(frame, codes)
    assert plot.plot_decision_boundary(model, frame, codes, resolution=20).images
    gaps = X.to_numpy().copy()
    gaps[0, 0] = np.nan
    drawn = marked(plot.plot_decision_boundary(plain, gaps, codes, resolution=9), "rows")
    assert sum(len(line.get_xdata()) for line in drawn) == len(X) - 1


def test_one_class_everywhere(bills):
    X, _ = bills

    class Always:
        classes_ = np.array(["yes"])

        def predict(self, rows):
            return np.full(len(rows), "yes")

    ax = plot.plot_decision_boundary(Always(), X.to_numpy(), ["yes"] * len(X), resolution=9)
    assert len(ax.collections) == 0


def test_probabilities_are_the_models(bills):
    X, y = bills
    model = LogisticRegression().fit(X, y)
    axes = plot.plot_class_probabilities(model, X, y, resolution=30)
    assert [ax.get_title(loc="left") for ax in axes] == [
        f"probability of {name}" for name in model.classes_
    ]
    (one,) = plot.plot_class_probabilities(model, X, label="Gentoo", resolution=30)
    half = next(c for c in one.collections if len(c.levels) == 1)
    points = np.concatenate([path.vertices for path in half.get_paths()])
    rows = pd.DataFrame(points, columns=X.columns)
    np.testing.assert_allclose(model.predict_proba(rows)[:, 2], 0.5, atol=0.02)
    two = LogisticRegression().fit(X, y == "Gentoo")
    (second,) = plot.plot_class_probabilities(two, X, resolution=20)
    assert second.get_title(loc="left") == "probability of True"


def test_level_sets_are_the_predictions(diabetes):
    X, y = diabetes[0][["bmi", "s5"]], diabetes[1]
    model = LinearRegression().fit(X, y)
    ax = plot.plot_level_sets(model, X, y, resolution=25)
    lines = ax.collections[1]
    for level, path in zip(lines.levels, lines.get_paths(), strict=True):
        if len(path.vertices):
            rows = pd.DataFrame(path.vertices, columns=X.columns)
            np.testing.assert_allclose(model.predict(rows), level, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(ax.collections[2].get_array(), y)
    neighbours = KNeighborsRegressor().fit(X.to_numpy(), y)
    assert plot.plot_level_sets(neighbours, X.to_numpy(), resolution=15).collections
    flat = LinearRegression().fit(X, np.ones(len(X)))
    flat.coef_ = np.zeros(2)
    assert plot.plot_level_sets(flat, X, resolution=5).images


def test_residual_panels(diabetes):
    X, y = diabetes
    model = LinearRegression().fit(X, y)
    told = model.influence(X, y)
    axes = plot.plot_residuals(model, X, y)
    points = [marked(ax, "rows")[0].get_xydata() for ax in axes.flat]
    np.testing.assert_allclose(points[0], np.column_stack([model.predict(X), told.residuals]))
    np.testing.assert_allclose(points[3][:, 0], told.leverage)
    np.testing.assert_allclose(points[3][:, 1], told.internally_studentized)
    np.testing.assert_allclose(points[2][:, 1] ** 2, np.abs(told.internally_studentized))
    np.testing.assert_array_equal(np.argsort(points[1][:, 0]), np.argsort(points[1][:, 1]))
    above = marked(axes[1, 1], "cook")[0].get_xydata()
    h, r = above[50]
    assert r**2 * h / (model.linear_fit().rank * (1 - h)) == pytest.approx(4 / len(X))
    worst = [str(k) for k in told.worst(3).rows]
    assert [text.get_text() for text in axes[0, 0].texts] == worst
    np.testing.assert_array_equal(
        marked(plot.plot_residuals(told)[0, 0], "rows")[0].get_xydata(), points[0]
    )


def test_residuals_without_leverages(diabetes):
    X, y = diabetes
    axes = plot.plot_residuals(Ridge(0.1).fit(X, y), X, y, axes=Figure().subplots(1, 4))
    assert axes[1, 1].get_title(loc="left") == "observed and fitted"
    np.testing.assert_allclose(marked(axes[1, 1], "rows")[0].get_ydata(), y)
    perfect = LinearRegression().fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 3.0])
    straight = plot.plot_residuals(perfect, [[0.0], [1.0], [2.0]], [1.0, 2.0, 3.0])
    straight[0, 0].figure.draw_without_rendering()
    with pytest.raises(InvalidParameterError, match="give X and y"):
        plot.plot_residuals(perfect)
    with pytest.raises(InvalidParameterError, match="neither a fitted model"):
        plot.plot_residuals(3, X, y)


def test_influence_panels(diabetes):
    X, y = diabetes
    model = LinearRegression().fit(X, y)
    told = model.influence(X, y)
    left, right = plot.plot_influence(model, X, y)
    segments = next(c for c in left.collections if c.get_gid() == "distances").get_segments()
    np.testing.assert_allclose([s[1, 1] for s in segments], told.cooks_distance)
    points = right.collections[0]
    np.testing.assert_allclose(
        points.get_offsets(), np.column_stack([told.leverage, told.externally_studentized])
    )
    assert np.argmax(points.get_sizes()) == np.argmax(told.cooks_distance)
    assert len(told.plot()) == 2
    with pytest.raises(InvalidParameterError, match="does not know the influence"):
        plot.plot_influence(KNeighborsRegressor().fit(X, y), X, y)


def test_loss_contours():
    def bowl(w):
        return w[0] ** 2 + (w[1] - 1) ** 2

    path = np.array([[2.0, 3.0], [1.0, 2.0], [0.0, 1.0]])
    ax = plot.plot_loss_contours(bowl, paths={"a": path, "b": path[:2]}, resolution=60)
    lines = next(c for c in ax.collections if not c.filled)
    for level, each in zip(lines.levels, lines.get_paths(), strict=True):
        if len(each.vertices):
            np.testing.assert_allclose(bowl(each.vertices.T), level, atol=0.02)
    first, second = marked(ax, "path")
    np.testing.assert_array_equal(first.get_xydata(), path)
    assert (first.get_label(), second.get_label()) == ("a (2 steps)", "b (1 steps)")
    assert marked(ax, "end")[0].get_xydata().tolist() == [[0.0, 1.0]]
    x, y = np.arange(5.0), 1.0 + 2.0 * np.arange(5.0)
    loss = plot.plot_loss_contours(
        losses.HalfSquared(), x, y, x_range=(0, 2), y_range=(1, 3), resolution=41
    )
    steps = next(c for c in loss.collections if not c.filled).levels
    assert steps[-1] == pytest.approx(0.5 * np.mean((y - (0.0 + 1.0 * x)) ** 2))
    assert plot.plot_loss_contours(lambda w: 1.0, resolution=5).get_xlim() == (-2.0, 2.0)
    part = plot.plot_loss_contours(lambda w: np.inf if w[0] < 0 else w @ w, resolution=20)
    part.figure.draw_without_rendering()


@pytest.mark.parametrize("depth", [1, 3, None])
def test_leaves_are_exact(bills, depth):
    X, y = bills
    tree = DecisionTreeClassifier(max_depth=depth, random_state=0).fit(X, y)
    ax = plot.plot_tree_partition(tree, X, y)
    assert len(ax.patches) == tree.get_n_leaves()
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    area = sum(leaf.get_width() * leaf.get_height() for leaf in ax.patches)
    assert area == pytest.approx((right - left) * (top - bottom))
    numbers = tree.apply(X)
    leaves = [leaf.get_bbox() for leaf in ax.patches]
    inside = [
        [k for k, box in enumerate(leaves) if box.x0 < a <= box.x1 and box.y0 < b <= box.y1]
        for a, b in X.to_numpy()
    ]
    assert all(len(each) == 1 for each in inside)
    assert len({(n, each[0]) for n, each in zip(numbers, inside, strict=True)}) == len(leaves)


def test_leaves_of_regressions(diabetes):
    X, y = diabetes[0][["bmi", "s5"]], diabetes[1]
    tree = DecisionTreeRegressor(max_leaf_nodes=5).fit(X, y)
    ax = plot.plot_tree_partition(tree, X, y)
    told = sorted(float(text.get_text()) for text in ax.texts)
    leaves = np.sort(tree.tree_.value[tree.tree_.children_left < 0].ravel())
    np.testing.assert_allclose(told, leaves, rtol=1e-3)
    alone = plot.plot_tree_partition(tree.tree_, names=["a", "b"])
    assert len(alone.patches) == 5
    stump = DecisionTreeRegressor().fit(X[:1], y[:1])
    assert len(plot.plot_tree_partition(stump, X, y).patches) == 1


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda m, X, y: plot.plot_decision_boundary(m, X.iloc[:0], y[:0]), r"shape \(0, 2\)"),
        (lambda m, X, y: plot.plot_decision_boundary(m, X, y[:5]), "5 entries and X 342 rows"),
        (lambda m, X, y: plot.plot_decision_boundary(m, X, ["?"] * 342), "y holds '\\?'"),
        (lambda m, X, y: plot.plot_decision_boundary(m, X, resolution=1), "at least 2"),
        (lambda m, X, y: plot.plot_decision_boundary(m, X * np.nan), "two finite numbers"),
        (lambda m, X, y: plot.plot_decision_boundary(m, X, names=["a"]), "names has 1"),
        (lambda m, X, y: plot.plot_class_probabilities(Ridge(), X), "has no probabilities"),
        (lambda m, X, y: plot.plot_class_probabilities(m, X, label="Emu"), "does not know"),
        (lambda m, X, y: plot.plot_level_sets(Ridge().fit(np.eye(3), [1, 2, 3]), X), "3 features"),
        (lambda m, X, y: plot.plot_tree_partition(m, X, y), "has no feature"),
        (lambda m, X, y: plot.plot_loss_contours(3), "pass a function of two numbers"),
        (lambda m, X, y: plot.plot_loss_contours(sum, paths=[1, 2]), r"shape \(2,\)"),
        (lambda m, X, y: plot.plot_loss_contours(lambda w: np.nan), "nowhere finite"),
        (lambda m, X, y: plot.plot_loss_contours(sum, x_range=(1, 1)), "must increase"),
        (lambda m, X, y: plot.plot_loss_contours(losses.Huber(), np.eye(3), [1] * 3), "one or"),
    ],
)
def test_what_cannot_be_drawn(bills, call, words):
    X, y = bills
    model = LogisticRegression().fit(X, y)
    with pytest.raises((InvalidDataError, InvalidParameterError), match=words):
        call(model, X, y)
    with pytest.raises(InvalidDataError, match="more than two features"):
        plot.plot_tree_partition(DecisionTreeClassifier().fit(np.eye(3), [0, 1, 0]))
