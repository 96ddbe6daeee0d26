"""One family: every picture in both styles, on given axes, with nasty names, nothing left open."""

from __future__ import annotations

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from sklearn.tree import DecisionTreeClassifier

from stylobate import metrics, plot
from stylobate.exceptions import InvalidParameterError
from stylobate.inspection import explain_row, partial_dependence, permutation_importance
from stylobate.linear_model import LinearRegression, LogisticRegression
from stylobate.model_selection import holdout_attack
from stylobate.plot.shared.texts import plain
from stylobate.plot.shared.themes import DARK, LIGHT, current_theme, ink_on, theme_of

DOLLAR, UNDER, EMOJI, KANJI = "cost in $ per $", "_hidden_^2", "grin 😀 \U0001f9ff", "年齢"
LONG = "a name\nof two lines that goes on and on and on, far beyond the picture"

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame(
    {
        DOLLAR: RNG.normal(size=60),
        UNDER: RNG.normal(size=60) ** 2,
        EMOJI: np.where(RNG.uniform(size=60) < 0.2, np.nan, RNG.normal(size=60)),
        LONG: RNG.normal(size=60),
        KANJI: RNG.choice(["_a", "$x$ and $y$", "猫", "<b>"], size=60),
    }
)
PLANE, LABELS = TABLE[[DOLLAR, UNDER]], TABLE[KANJI]
ATTACK = holdout_attack(50, 20, mechanisms=["plain", "ladder"], random_state=0)
LINE = LinearRegression().fit(PLANE, TABLE[LONG])
WHY, DEPENDENCE = explain_row(LINE, PLANE.iloc[0], PLANE), partial_dependence(LINE, PLANE, UNDER)
FALLS = permutation_importance(LINE, PLANE, TABLE[LONG], random_state=0)
CURVE = metrics.roc_curve(RNG.integers(0, 2, 60), RNG.uniform(size=60))

PICTURES = {
    "plot_bars": lambda **o: plot.plot_bars(KANJI, data=TABLE, **o),
    "plot_box": lambda **o: plot.plot_box(DOLLAR, by=KANJI, data=TABLE, **o),
    "plot_coefficients": lambda **o: plot.plot_coefficients(
        {DOLLAR: [1.0, 2.0], "_b": [2.0, 1.0]}, names=[UNDER, EMOJI], **o
    ),
    "plot_confusion_matrix": lambda **o: plot.plot_confusion_matrix(
        [[3, 1], [0, 4]], [DOLLAR, KANJI], **o
    ),
    "plot_correlation": lambda **o: plot.plot_correlation(TABLE, **o),
    "plot_decision_boundary": lambda **o: plot.plot_decision_boundary(
        LogisticRegression().fit(PLANE, LABELS), PLANE, LABELS, resolution=20, **o
    ),
    "plot_explanation": lambda **o: plot.plot_explanation(WHY, **o),
    "plot_importances": lambda **o: plot.plot_importances(FALLS, **o),
    "plot_partial_dependence": lambda **o: plot.plot_partial_dependence(DEPENDENCE, **o),
    "plot_histogram": lambda **o: plot.plot_histogram(EMOJI, by=KANJI, data=TABLE, **o),
    "plot_holdout_attack": lambda **o: plot.plot_holdout_attack(ATTACK, **o),
    "plot_level_sets": lambda **o: plot.plot_level_sets(
        LinearRegression().fit(PLANE, TABLE[LONG]), PLANE, TABLE[LONG], resolution=20, **o
    ),
    "plot_loss_contours": lambda **o: plot.plot_loss_contours(
        lambda w: w @ w, paths={DOLLAR: [[1, 1], [0, 0]]}, names=[UNDER, KANJI], resolution=20, **o
    ),
    "plot_missing": lambda **o: plot.plot_missing(TABLE, **o),
    "plot_missing_patterns": lambda **o: plot.plot_missing_patterns(TABLE, **o),
    "plot_path": lambda **o: plot.plot_path(
        [0.1, 1.0], [[1.0, 0.5], [2.0, 0.1]], names=[DOLLAR, "_b"], **o
    ),
    "plot_roc_curve": lambda **o: plot.plot_roc_curve({DOLLAR: CURVE, "_b": CURVE}, **o),
    "plot_scatter": lambda **o: plot.plot_scatter(UNDER, LONG, by=KANJI, data=TABLE, **o),
    "plot_target": lambda **o: plot.plot_target(EMOJI, KANJI, data=TABLE, **o),
    "plot_target_pair": lambda **o: plot.plot_target_pair(KANJI, EMOJI, DOLLAR, data=TABLE, **o),
    "plot_tree_partition": lambda **o: plot.plot_tree_partition(
        DecisionTreeClassifier(max_depth=2).fit(PLANE.to_numpy(), LABELS), PLANE, LABELS, **o
    ),
}
PANELS = {
    "plot_class_probabilities": lambda: plot.plot_class_probabilities(
        LogisticRegression().fit(PLANE, LABELS), PLANE, LABELS, resolution=20
    ),
    "plot_influence": lambda: plot.plot_influence(
        LinearRegression().fit(PLANE, TABLE[LONG]), PLANE, TABLE[LONG]
    ),
    "plot_pairs": lambda: plot.plot_pairs(TABLE, by=KANJI),
    "plot_residuals": lambda: plot.plot_residuals(
        LinearRegression().fit(PLANE, TABLE[LONG]), PLANE, TABLE[LONG]
    ),
}


def written(figure):
    """Every text with the colour it is written in."""
    figure.draw_without_rendering()
    return [text for text in figure.findobj(matplotlib.text.Text) if text.get_text().strip()]


@pytest.mark.parametrize("name", [*PICTURES, *PANELS])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_pictures_are_drawn_in_the_style(name, theme):
    with plot.style(theme.name):
        drawn = PICTURES[name]() if name in PICTURES else PANELS[name]().flat[0]
    figure = drawn.figure
    assert to_hex(figure.get_facecolor()) == theme.background
    assert to_hex(drawn.xaxis.label.get_color()) == theme.ink
    texts = written(figure)  # outside of the style: ticks are made now
    allowed = {LIGHT.ink, DARK.ink, theme.soft, theme.background}
    assert {to_hex(text.get_color()) for text in texts} <= allowed
    assert not any(text.get_text().startswith("$x$") for text in texts)  # would be a formula
    assert not plt.get_fignums()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_on_given_axes(name):
    figure = Figure(facecolor="black")
    left, right = figure.subplots(1, 2)
    right.set_facecolor("black")
    assert PICTURES[name](ax=right) is right
    assert not left.has_data()
    assert theme_of(right) is DARK
    assert to_hex(right.xaxis.label.get_color()) == DARK.ink


def test_styles_nest_and_end():
    before = matplotlib.rcParams["figure.facecolor"], current_theme().name
    with plot.style("dark"):
        with plot.style("light"):
            assert current_theme() is LIGHT
        assert current_theme() is DARK
        assert matplotlib.rcParams["figure.facecolor"] == DARK.background
    assert (matplotlib.rcParams["figure.facecolor"], current_theme().name) == before
    chosen = plot.style("dark")  # for good
    try:
        assert repr(chosen) == "Style(dark)"
        assert theme_of(plot.plot_bars(["a"])) is DARK
    finally:
        chosen.__exit__()
    assert theme_of(plot.plot_bars(["a"])) is LIGHT
    with matplotlib.style.context("dark_background"):
        assert theme_of(plot.plot_bars(["a"])) is DARK
    with pytest.raises(InvalidParameterError, match="light or dark, got 'sepia'"):
        plot.style("sepia")


def contrast(first, second):
    """The ratio of luminances of the Web Content Accessibility Guidelines."""

    def luminance(color):
        channels = np.array(matplotlib.colors.to_rgb(color))
        linear = np.where(
            channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4
        )
        return linear @ [0.2126, 0.7152, 0.0722]

    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_colours_can_be_read_and_told_apart(theme):
    assert contrast(theme.ink, theme.background) > 12
    assert contrast(theme.soft, theme.background) > 4.5
    assert all(contrast(color, theme.background) > 2 for color in theme.palette)
    assert len(set(theme.palette)) == 7
    # Viénot, Brettel & Mollon (1999): how people without red or green cones see a colour
    blind = {
        "protan": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
        "deutan": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
    }
    colors = np.array([matplotlib.colors.to_rgb(color) for color in theme.palette[:4]]) ** 2.2
    for matrix in blind.values():
        seen = np.clip(colors @ np.array(matrix).T, 0, 1) ** (1 / 2.2)
        apart = np.linalg.norm(seen[:, None] - seen[None], axis=2) + 9 * np.eye(4)
        assert apart.min() > 0.2


def test_names_are_plain_text():
    assert plain("$a$") == r"\$a\$"
    assert plain("_x").endswith("_x")
    assert not plain("_x").startswith("_")
    assert plain("年") == "□"
    assert plain("é α ♯") == "é α ♯"
    assert len(plain("x" * 1000)) == 40
    assert plain(3.5) == "3.5"
    figure = Figure()
    text = figure.text(0.5, 0.5, plain(r"$\frac$ costs $5 \$"))
    assert not matplotlib.cbook.is_math_text(text.get_text())
    figure.draw_without_rendering()
    assert ink_on("#ffffff") == LIGHT.ink
    assert ink_on("#000000") == DARK.ink


def test_legends_keep_names_with_an_underscore():
    ax = plot.plot_path([0.1, 1.0], [[1.0, 0.5], [2.0, 0.1]], names=["_a", "b"])
    assert [text.get_text().lstrip("\u200b") for text in ax.get_legend().get_texts()] == ["_a", "b"]
