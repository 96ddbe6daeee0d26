"""Pictures of columns and targets hold what their views say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from stylobate import plot
from stylobate.datasets import load_diabetes, load_penguins, load_titanic
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration import explore, views
from stylobate.linear_model import LinearRegression, Ridge
from stylobate.plot.shared.themes import LIGHT


@pytest.fixture(scope="module")
def penguins():
    return load_penguins(as_frame=True).frame


@pytest.fixture(scope="module")
def titanic():
    return load_titanic(as_frame=True).frame


def marked(ax, gid):
    return [line for line in ax.get_lines() if line.get_gid() == gid]


def texts(items):
    return [text.get_text() for text in items]


def test_boxes(penguins):
    boxes = views.box_views("body_mass_g", by="species", data=penguins)
    ax = plot.plot_box("body_mass_g", by="species", data=penguins)
    for box, patch, median, dots in zip(
        boxes, ax.patches, marked(ax, "median"), marked(ax, "outliers"), strict=True
    ):
        ends = patch.get_x(), patch.get_x() + patch.get_width()
        np.testing.assert_allclose(ends, [box.quartiles[0], box.quartiles[2]])
        assert median.get_xdata()[0] == box.quartiles[1]
        np.testing.assert_array_equal(dots.get_xdata(), box.outliers)
    left, right = marked(ax, "whisker")[:2]
    assert (left.get_xdata()[0], right.get_xdata()[1]) == boxes[0].whiskers
    assert texts(ax.get_yticklabels()) == [box.label for box in boxes]
    assert ax.get_xlabel() == "body_mass_g"
    assert ax.get_title(loc="left") == "2 of 342 values lie beyond 1.5 box lengths"
    again = boxes[0].plot(ax=Figure().subplots())
    np.testing.assert_allclose(again.patches[0].get_x(), boxes[0].quartiles[0])
    cut = plot.plot_box(np.arange(101.0), rule="percentile", percentiles=(3, 97))
    assert marked(cut, "outliers")[0].get_xdata().tolist() == [0, 1, 2, 98, 99, 100]


def test_histograms(titanic):
    view = views.distribution_view("age", data=titanic)
    ax = plot.plot_histogram(view)
    assert [bar.get_height() for bar in ax.patches] == view.counts[0].tolist()
    assert [bar.get_x() for bar in ax.patches] == view.edges[:-1].tolist()
    (curve,) = marked(ax, "density")
    width = view.edges[1] - view.edges[0]
    np.testing.assert_allclose(curve.get_ydata(), view.densities[0].y * view.n * width)
    shares = plot.plot_histogram("age", data=titanic, normalize=True)
    areas = [bar.get_height() * bar.get_width() for bar in shares.patches]
    assert sum(areas) == pytest.approx(1.0)
    assert (ax.get_ylabel(), shares.get_ylabel()) == ("rows", "density")
    assert "557 missing" in ax.get_title(loc="left")
    uneven = plot.plot_histogram([1.0, 2.0, 3.0, 9.0], bins=[0, 2, 10], density=False)
    np.testing.assert_allclose([b.get_height() for b in uneven.patches], [1 / 8, 3 / 32])
    assert not marked(uneven, "density")
    by = plot.plot_histogram("age", by="sex", data=titanic)
    assert texts(by.get_legend().get_texts()) == ["female", "male"]
    assert len(marked(by, "density")) == 2


def test_pictures_of_a_profile(titanic):
    profile = explore(titanic)
    age, sex = (next(v for v in profile.variables if v.name == name) for name in ("age", "sex"))
    ax = plot.plot_histogram(age)
    assert [bar.get_height() for bar in ax.patches] == list(age.numeric.histogram.counts)
    assert ax.get_xlabel() == "age"
    bars = plot.plot_bars(sex)
    assert texts(bars.get_xticklabels()) == ["male", "female"]
    assert [bar.get_height() for bar in bars.patches] == [851, 462]
    patterns = plot.plot_missing_patterns(profile.missingness)
    assert texts(patterns.get_yticklabels())[0].startswith("complete: 756 rows")


def test_bars(penguins):
    ax = plot.plot_bars("sex", data=penguins)
    assert [bar.get_height() for bar in ax.patches] == [168, 165, 11]
    assert texts(ax.get_xticklabels()) == ["male", "female", "missing"]
    assert to_hex(ax.patches[2].get_facecolor()) == LIGHT.faint
    assert texts(ax.texts) == ["168", "165", "11"]
    known = plot.plot_bars("sex", data=penguins, normalize=True, missing=False)
    np.testing.assert_allclose([b.get_height() for b in known.patches], [168 / 333, 165 / 333])
    many = plot.plot_bars(list(range(100)), most=10)
    assert [bar.get_width() for bar in many.patches] == [1.0] * 10 + [90.0]
    assert texts(many.get_yticklabels())[-1] == "90 others"


def test_points_and_bands(penguins):
    ax = plot.plot_scatter("flipper_length_mm", "body_mass_g", data=penguins)
    (points,), (line,) = marked(ax, "points"), marked(ax, "line")
    known = penguins[["flipper_length_mm", "body_mass_g"]].dropna()
    np.testing.assert_array_equal(points.get_xydata(), known.to_numpy())
    model = LinearRegression().fit(known[["flipper_length_mm"]], known["body_mass_g"])
    grid = pd.DataFrame({"flipper_length_mm": line.get_xdata()})
    np.testing.assert_allclose(line.get_ydata(), model.predict(grid))
    inner = model.predict_interval(grid, kind="confidence")
    band = next(c for c in ax.collections if c.get_gid() == "confidence").get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx(inner.upper.max())
    assert len(ax.collections) == 2
    fitted = plot.plot_scatter("flipper_length_mm", "body_mass_g", data=penguins, model=model)
    np.testing.assert_allclose(marked(fitted, "line")[0].get_ydata(), line.get_ydata())
    assert len(fitted.collections) == 2
    vectors = known["flipper_length_mm"].to_numpy(), known["body_mass_g"].to_numpy()
    ridge = Ridge().fit(vectors[0][:, None], vectors[1])
    assert marked(plot.plot_scatter(*vectors, model=ridge), "line")
    by = plot.plot_scatter("flipper_length_mm", "body_mass_g", by="species", data=penguins)
    assert (len(marked(by, "points")), len(marked(by, "line")), len(by.collections)) == (3, 3, 3)
    assert not marked(plot.plot_scatter([1.0, 1.0], [1.0, 2.0]), "line")  # no line straight up
    with pytest.raises(InvalidParameterError, match="y is missing"):
        plot.plot_scatter([1.0, 2.0])


def test_pair_grids(penguins):
    table = penguins[["bill_length_mm", "body_mass_g", "species"]]
    view = views.pairs_view(table, by="species")
    axes = plot.plot_pairs(table, by="species")
    assert axes.shape == (2, 2)
    heights = np.array([bar.get_height() for bar in axes[0, 0].patches]).reshape(3, -1)
    np.testing.assert_array_equal(heights, view.distributions[0].counts)
    drawn = np.concatenate([line.get_xydata() for line in axes[1, 0].get_lines()])
    assert len(drawn) == len(penguins)
    assert texts(axes[0, 1].texts) == [f"{view.correlations[0, 1]:.2f}"]
    assert texts(axes[0, 0].figure.legends[0].get_texts()) == list(view.labels)
    with pytest.raises(InvalidParameterError, match="axes has 3 entries; the picture needs 2 × 2"):
        plot.plot_pairs(table, axes=Figure().subplots(1, 3))


def test_correlation_maps():
    table = load_diabetes(as_frame=True).frame
    view = views.correlation_view(table, method="spearman")
    ax = plot.plot_correlation(table, method="spearman")
    np.testing.assert_array_equal(ax.images[0].get_array(), view.values)
    assert texts(ax.get_xticklabels()) == list(view.names)
    assert len(ax.texts) == 110
    assert ax.images[0].get_clim() == (-1, 1)
    flat = plot.plot_correlation({"a": [1.0, 2.0, 3.5], "flat": [1.0, 1.0, 1.0]})
    assert flat.images[0].get_array().mask.sum() == 3


def test_missing_maps(penguins):
    ax = plot.plot_missing(penguins)
    np.testing.assert_allclose(ax.images[0].get_array(), views.missing_view(penguins).shares)
    assert texts(ax.get_xticklabels())[6] == "sex (3%)"
    assert (
        ax.get_title(loc="left") == "19 of 2,752 values are missing, 333 of 344 rows are complete"
    )
    patterns = plot.plot_missing_patterns(penguins)
    assert texts(patterns.get_yticklabels()) == [
        "complete: 333 rows (96.8%)", "9 rows (2.6%)", "2 rows (0.6%)",
    ]  # fmt: skip
    filled = patterns.collections[1].get_offsets()
    assert len(filled) == 1 + 5
    whole = plot.plot_missing_patterns({"a": [1, 2]})
    assert texts(whole.get_xticklabels()) == ["nothing is missing"]


def test_targets(titanic, penguins):
    view = views.target_view("age", "survived", data=titanic)
    ax = plot.plot_target("age", "survived", data=titanic)
    (dots,) = marked(ax, "values")
    np.testing.assert_array_equal(dots.get_ydata(), view.values[:, 1])
    bars = next(c for c in ax.collections if c.get_gid() == "intervals").get_segments()
    np.testing.assert_allclose(
        [s[:, 1] for s in bars], np.column_stack([view.low, view.high])[:, [1, 3]]
    )
    assert len(marked(ax, "course")[0].get_xdata()) == 10  # not to the missing ones
    assert min(ax.get_yticks()) >= 0
    stacks = plot.plot_target("island", "species", data=penguins)
    heights = np.array([bar.get_height() for bar in stacks.patches]).reshape(3, 3)
    np.testing.assert_allclose(heights.sum(axis=0), 1.0)
    assert texts(stacks.get_legend().get_texts()) == ["Adelie", "Chinstrap", "Gentoo"]
    means = plot.plot_target("species", "body_mass_g", data=penguins)
    told = penguins.groupby("species")["body_mass_g"].mean()
    np.testing.assert_allclose(marked(means, "values")[0].get_ydata(), told)
    assert means.get_ylabel() == "mean body_mass_g"


def test_target_cells(titanic):
    view = views.target_cells_view("sex", "class", "survived", data=titanic)
    ax = plot.plot_target_pair("sex", "class", "survived", data=titanic)
    shown = ax.images[0].get_array()
    np.testing.assert_array_equal(shown.filled(np.nan), view.values)
    assert "93.7%" in texts(ax.texts)
    assert "143" in texts(ax.texts)
    assert texts(ax.get_yticklabels()) == ["female", "male"]
    flat = plot.plot_target_pair(["a", "b"], ["x", "x"], [1.5, 1.5])
    assert len(flat.images) == 1


@pytest.mark.parametrize(
    "call",
    [
        lambda: plot.plot_box([]),
        lambda: plot.plot_histogram(np.array([])),
        lambda: plot.plot_bars([]),
        lambda: plot.plot_scatter([], []),
        lambda: plot.plot_pairs(pd.DataFrame()),
        lambda: plot.plot_correlation(pd.DataFrame({"a": []})),
        lambda: plot.plot_missing(pd.DataFrame()),
        lambda: plot.plot_missing_patterns({}),
        lambda: plot.plot_target([], []),
        lambda: plot.plot_target_pair([], [], []),
    ],
)
def test_nothing_to_draw_is_said(call):
    with pytest.raises(InvalidDataError, match=r"^plot_\w+: .*(nothing to draw|empty)"):
        call()


def test_columns_named_like_attributes_are_columns():
    names = ["overall", "labels", "values", "patterns", "quartiles", "edges", "distributions"]
    rng = np.random.default_rng(0)
    table = pd.DataFrame({name: rng.normal(size=20) for name in names})
    assert len(plot.plot_box(table).patches) == 7
    assert plot.plot_correlation(table).images[0].get_array().shape == (7, 7)
    assert plot.plot_missing(table).get_title(loc="left").startswith("0 of 140")
    assert plot.plot_target(table["overall"], table["labels"]).get_xlabel() == "overall"
    assert plot.plot_pairs(table).shape == (7, 7)
