"""Text as scikit-learn writes it; HTML escaped, nested, and marked when fitted."""

from __future__ import annotations

from html.parser import HTMLParser
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.linear_model
import sklearn.pipeline
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st
from small_estimators import SmallRidge, SmallScaler

from stylobate.base import BaseEstimator
from stylobate.base.text import text_of
from stylobate.config import config_context

X = [[0.0], [1.0], [3.0]]
y = [0.0, 1.0, 2.0]


@pytest.mark.parametrize(
    "theirs",
    [
        sklearn.linear_model.Ridge(),
        sklearn.linear_model.Ridge(alpha=2),
        sklearn.linear_model.Ridge(alpha=1),  # not the default 1.0
        sklearn.linear_model.Ridge(solver="svd", alpha=0.5, tol=1e-9, max_iter=100),
        sklearn.svm.SVC(
            C=100.25,
            kernel="polynomial kernel",
            degree=12,
            gamma="automatic",
            coef0=1.5,
            tol=1e-10,
            cache_size=12345,
        ),
        sklearn.linear_model.ElasticNet(alpha=float("nan")),
    ],
    ids=lambda each: repr(each)[:40],
)
def test_text_is_scikit_learns(theirs):
    assert text_of(theirs) == repr(theirs)


def test_text_can_be_evaluated():
    model = SmallRidge(alpha=2.5, solver="solve")
    again = eval(repr(model), {"SmallRidge": SmallRidge})
    assert again.get_params() == model.get_params()
    assert repr(SmallRidge()) == "SmallRidge()"


def test_long_values_are_cut_and_lines_folded():
    text = repr(SmallRidge(alpha=list(range(10_000)), solver="x" * 50))
    assert "..." in text
    assert len(text) < 600
    assert "\n           solver=" in text


class Outline(HTMLParser):
    """The tags (which must balance), texts and classes of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.classes: list[str] = []
        self.feed(html)
        self.close()
        assert self.open == [], f"unclosed {self.open}"

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.classes += [value for name, value in attrs if name == "class"]
        assert tag in {"div", "style", "details", "summary", "span", "table", "tr", "td", "p"}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_html_shows_changed_parameters():
    outline = Outline(SmallRidge(alpha=3.0)._repr_html_())
    assert outline.classes.count("changed") == 1
    assert "SmallRidge" in outline.texts
    assert "3.0" in outline.texts
    assert "not fitted" in outline.texts


def test_html_shows_the_fit():
    model = SmallRidge().fit(X, y)
    assert "fitted" in Outline(model._repr_html_()).texts
    model.solver_ = "cholesky <fast>"
    model.certificate_ = SimpleNamespace(verdict="optimal to 1e-12 & proved")
    texts = Outline(model._repr_html_()).texts
    assert "solver: cholesky <fast>" in texts
    assert "certificate: optimal to 1e-12 & proved" in texts


@given(st.text())
def test_html_is_escaped(text):
    outline = Outline(SmallRidge(alpha=text, solver=f"</td><script>{text}")._repr_html_())
    assert any("</td><script>" in each for each in outline.texts)


def test_html_nests_estimators():
    class Wrapper(BaseEstimator):
        def __init__(self, inner: object = None, steps: object = ()) -> None:
            self.inner = inner
            self.steps = steps

    nested = Wrapper(SmallRidge(), steps=[("scale", SmallScaler()), ("drop", "passthrough")])
    html = nested._repr_html_()
    assert html.count("<details") == 3
    assert html.count("<details open") == 1
    texts = Outline(html).texts
    assert "inner: SmallRidge" in texts
    assert "scale: SmallScaler" in texts


def test_html_is_self_contained():
    html = SmallRidge()._repr_html_()
    assert "http" not in html
    assert "@media (prefers-color-scheme:dark)" in html


def test_display_as_text_leaves_html_out():
    with config_context(display="text"):
        assert SmallRidge()._repr_html_() is None


def test_inside_scikit_learns_diagram():
    pipeline = sklearn.pipeline.make_pipeline(SmallScaler(), SmallRidge(alpha=5.0)).fit(X, y)
    html = pipeline._repr_html_()
    assert "SmallScaler" in html
    assert "SmallRidge(alpha=5.0)" in html
    assert "SmallRidge(alpha=5.0)" in repr(pipeline)


def test_arrays_as_parameters():
    outline = Outline(SmallRidge(alpha=np.arange(3.0))._repr_html_())
    assert "array([0., 1., 2.])" in outline.texts
