"""Transformers return what came in, or what `set_output` and the settings say."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks
from small_estimators import SmallRidge, SmallScaler

from stylobate.base import BaseEstimator, TransformerMixin
from stylobate.config import config_context
from stylobate.exceptions import InvalidParameterError, NotFittedError

X = np.array([[1.0, 5.0], [2.0, 3.0], [4.0, 8.0]])
PANDAS = pd.DataFrame(X, columns=["a", "b"], index=["r", "s", "t"])
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table}
EXPECTED = StandardScaler().fit_transform(X)


def same(frame, columns):
    names = frame.column_names if isinstance(frame, pa.Table) else list(frame.columns)
    assert names == columns
    np.testing.assert_allclose(np.asarray(frame), EXPECTED)


def test_what_goes_in_comes_out():
    assert type(SmallScaler().fit_transform(X)) is np.ndarray
    frames = (PANDAS, pl.from_pandas(PANDAS), pa.table({"a": X[:, 0], "b": X[:, 1]}))
    for frame in frames:
        out = SmallScaler().fit_transform(frame)
        assert type(out) is type(frame)
        same(out, ["a", "b"])
    assert list(SmallScaler().fit_transform(PANDAS).index) == ["r", "s", "t"]


@pytest.mark.parametrize("style", FRAMES)
def test_set_output_decides(style):
    scaler = SmallScaler().set_output(transform=style)
    out = scaler.fit_transform(X)
    assert isinstance(out, FRAMES[style])
    same(out, ["x0", "x1"])
    same(scaler.fit_transform(PANDAS), ["a", "b"])
    assert scaler.set_output() is scaler  # None changes nothing
    assert isinstance(scaler.transform(PANDAS), FRAMES[style])
    scaler.set_output(transform="default")
    assert type(scaler.transform(PANDAS)) is np.ndarray


@pytest.mark.parametrize("style", FRAMES)
def test_settings_decide_unless_the_transformer_does(style):
    with config_context(transform_output=style):
        assert isinstance(SmallScaler().fit_transform(X), FRAMES[style])
        own = SmallScaler().set_output(transform="default")
        assert type(own.fit_transform(PANDAS)) is np.ndarray
    with config_context(transform_output="default"):
        assert type(SmallScaler().fit_transform(PANDAS)) is np.ndarray


@pytest.mark.parametrize("style", ["pandas", "polars"])
def test_scikit_learns_settings_are_heard(style):
    with sklearn.config_context(transform_output=style):
        assert isinstance(SmallScaler().fit_transform(X), FRAMES[style])


def test_unknown_container_is_refused():
    with pytest.raises(InvalidParameterError, match=r"transform must be one of .* got 'arrow'"):
        SmallScaler().set_output(transform="arrow")


@pytest.mark.filterwarnings("ignore:X (has|does not have valid) feature names")
@pytest.mark.parametrize(
    "check",
    [
        estimator_checks.check_set_output_transform,
        estimator_checks.check_set_output_transform_pandas,
        estimator_checks.check_set_output_transform_polars,
        estimator_checks.check_global_output_transform_pandas,
        estimator_checks.check_global_set_output_transform_polars,
        estimator_checks.check_transformer_get_feature_names_out,
        estimator_checks.check_transformer_get_feature_names_out_pandas,
        estimator_checks.check_get_feature_names_out_error,
    ],
)
def test_scikit_learns_further_checks_of_output(check):
    check("SmallScaler", SmallScaler())


@pytest.mark.parametrize("estimator", [SmallScaler(), SmallRidge()])
def test_scikit_learns_check_of_column_names(estimator):
    name = type(estimator).__name__
    estimator_checks.check_dataframe_column_names_consistency(name, estimator)


class Halves(TransformerMixin, BaseEstimator):
    """Sums of the first and of the second half of the columns."""

    def fit(self, X, y=None):
        self.half_ = self._read(X, reset=True).n_features // 2
        self._n_features_out = 2
        return self

    def transform(self, X):
        self._check_fitted()
        table = self._read(X, reset=False)
        first, second = table.x[:, : self.half_], table.x[:, self.half_ :]
        return self._wrap(np.column_stack([first.sum(axis=1), second.sum(axis=1)]), table)


def test_new_columns_are_named_after_the_class():
    out = Halves().fit_transform(PANDAS)
    assert list(out.columns) == ["halves0", "halves1"]
    with pytest.raises(NotFittedError):
        Halves().get_feature_names_out()


def test_inside_scikit_learns_column_transformer_and_pipeline():
    both = ColumnTransformer([("first", SmallScaler(), ["a"]), ("second", SmallScaler(), ["b"])])
    out = both.set_output(transform="pandas").fit_transform(PANDAS)
    assert list(out.columns) == ["first__a", "second__b"]
    np.testing.assert_allclose(out.to_numpy(), EXPECTED)
    pipeline = make_pipeline(SmallScaler()).set_output(transform="polars")
    assert isinstance(pipeline.fit_transform(X), pl.DataFrame)
