"""Batches that are wrong: refused in a sentence that names the column and the row."""

from __future__ import annotations

import numpy as np
import pandas
import polars
import pyarrow as pa
import pytest

import stylobate
from stylobate.ensemble import HistGradientBoostingRegressor
from stylobate.exceptions import InvalidDataError, UnsupportedDataError
from stylobate.linear_model import LogisticRegression, PoissonRegressor, Ridge
from stylobate.naive_bayes import GaussianNB
from stylobate.preprocessing import StandardScaler

RNG = np.random.default_rng(3)
X = RNG.normal(size=(600, 3))
Y = X @ [1.0, 2.0, 3.0] + RNG.normal(size=600)
FRAME = polars.DataFrame({"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "y": Y})
REFUSED = (InvalidDataError, UnsupportedDataError)


def frames(second, first=FRAME[:300]):
    return lambda: iter([first, second])


# --- batches that do not fit together -----------------------------------------------------------

SECOND = FRAME[300:]
UNLIKE = {
    "another order": (SECOND.select("b", "a", "c", "y"), "same order"),
    "another name": (SECOND.rename({"b": "q"}), r"(?s)unseen at fit time:\n- q.*missing:\n- b"),
    "one more": (SECOND.with_columns(q=1.0), r"unseen at fit time:\n- q"),
    "one less": (SECOND.drop("b"), r"now missing:\n- b"),
    "no target": (SECOND.drop("y"), "there is no column 'y'"),
    "text": (
        SECOND.with_columns(b=polars.lit("abc")),
        r"(?s)'b'.*text.*'abc'.*with row 300",
    ),
    "dates": (
        SECOND.with_columns(b=polars.date(2024, 1, 1)),
        r"(?s)'b'.*dates.*with row 300",
    ),
}


@pytest.mark.parametrize("name", UNLIKE)
@pytest.mark.parametrize("model", [Ridge(), HistGradientBoostingRegressor(max_iter=2)], ids=str)
def test_batches_unlike_the_first_are_refused_by_name(model, name):
    second, said = UNLIKE[name]
    with pytest.raises(REFUSED, match=said):
        model.fit(frames(second), target="y")


def test_batches_of_arrays_unlike_the_first():
    for second, said in [
        ((X[:, :2], Y), "2 features"),
        ((X, None), "requires y"),
        ((X, np.column_stack([Y, Y])), "targets"),
        ((X, Y[:-1]), "600"),
        ((X.astype(str).astype(object), Y), "(?s)text.*begins with row 600"),
        ((X[:, 0], Y), "1D array"),
    ]:
        with pytest.raises(REFUSED, match=said):
            Ridge().fit(iter([(X, Y), second]))


def test_integers_and_doubles_are_the_same_numbers():
    whole = FRAME.with_columns(polars.col("a").round())
    second = whole[300:].with_columns(polars.col("a").cast(polars.Int32))
    found = Ridge().fit(frames(second, whole[:300]), target="y")
    assert found.coef_ == pytest.approx(Ridge().fit(whole.drop("y"), whole["y"]).coef_, rel=1e-12)


def test_no_rows(tmp_path):
    FRAME[:0].write_parquet(tmp_path / "none.parquet")
    for rows in (
        stylobate.read(tmp_path / "none.parquet"),
        lambda: iter([]),
        lambda: iter([FRAME[:0], FRAME[:0]]),
        FRAME[:0].to_arrow().to_reader(),
    ):
        for model in (Ridge(), HistGradientBoostingRegressor(), StandardScaler()):
            if not hasattr(rows, "schema") or model._tags().tier == "one pass":
                with pytest.raises(InvalidDataError, match=r"no batch|no rows|0 sample"):
                    model.fit(rows, target="y")


def test_empty_batches_between_change_nothing():
    parts = [FRAME[:0], FRAME[:100], FRAME[:0], FRAME[:0], FRAME[100:], FRAME[:0]]
    for model in (Ridge(), StandardScaler(), HistGradientBoostingRegressor(max_iter=3)):
        some = type(model)(**model.get_params()).fit(lambda: iter(parts), target="y")
        whole = model.fit(lambda: iter([FRAME]), target="y")
        name = next(n for n in ("coef_", "mean_", "n_iter_") if hasattr(whole, n))
        assert np.array_equal(getattr(some, name), getattr(whole, name))


@pytest.mark.parametrize("kind", [polars.DataFrame, pandas.DataFrame, pa.table])
def test_a_missing_cell_is_named_by_its_row_in_the_whole(kind):
    columns = {name: FRAME[name].to_numpy().copy() for name in FRAME.columns}
    columns["b"][457] = np.nan
    parts = [kind({n: v[k : k + 200] for n, v in columns.items()}) for k in (0, 200, 400)]
    with pytest.raises(InvalidDataError, match="row 457, column 'b'"):
        Ridge().fit(lambda: iter(parts), target="y")


def test_a_missing_cell_of_a_file(tmp_path):
    b = FRAME["b"].to_numpy().copy()
    b[457] = np.inf
    FRAME.with_columns(b=b).write_parquet(tmp_path / "rows.parquet", row_group_size=100)
    with pytest.raises(InvalidDataError, match="row 457, column 'b'"):
        Ridge().fit(stylobate.read(tmp_path / "rows.parquet"), target="y")


def test_a_late_class_or_category_is_known():
    labels = np.where(np.arange(600) < 500, 0, np.arange(600) % 3)
    batches = [(X[k : k + 100], labels[k : k + 100]) for k in range(0, 600, 100)]
    found = GaussianNB().fit(iter(batches))
    whole = GaussianNB().fit(X, labels)
    assert np.array_equal(found.classes_, whole.classes_)
    assert found.theta_ == pytest.approx(whole.theta_, rel=1e-12)
    two = np.minimum(labels, 1)
    batches = [(X[k : k + 100], two[k : k + 100]) for k in range(0, 600, 100)]
    logistic = LogisticRegression().fit(lambda: iter(batches))
    assert logistic.coef_ == pytest.approx(LogisticRegression().fit(X, two).coef_, rel=1e-6)


def test_late_categories_of_boosting_are_known_and_missing_ones_are_no_numbers():
    words = np.where(np.arange(600) < 500, "low", "high")
    frame = FRAME.with_columns(b=words)
    parts = [frame[:500].to_pandas(), frame[500:].to_pandas()]
    found = HistGradientBoostingRegressor(max_iter=5).fit(lambda: iter(parts), target="y")
    whole = HistGradientBoostingRegressor(max_iter=5).fit(frame.drop("y").to_pandas(), Y)
    shown = frame.drop("y").to_pandas()
    assert np.array_equal(found.predict(shown), whole.predict(shown))
    empty = parts[0].assign(b=np.nan)  # what pandas makes of a column without a single word
    HistGradientBoostingRegressor(max_iter=5).fit(lambda: iter([empty, parts[1]]), target="y")


@pytest.mark.parametrize("model", [PoissonRegressor(), HistGradientBoostingRegressor()], ids=str)
def test_a_reader_that_can_be_read_once(model):
    frame = FRAME.with_columns(polars.col("y").abs())
    for reader in (frame.to_arrow().to_reader(), iter([frame])):
        with pytest.raises(InvalidDataError, match="read only once"):
            model.fit(reader, target="y")


def test_a_reader_used_twice():
    reader = FRAME.to_arrow().to_reader()
    Ridge().fit(reader, target="y")
    with pytest.raises(InvalidDataError, match="no batch to learn from"):
        Ridge().fit(reader, target="y")
