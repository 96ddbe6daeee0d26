"""Days between dates, and dates written as digits, against pandas."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest

from stylobate.data.kinds import infer_schema
from stylobate.data.streams import Batch, Stream
from stylobate.linear_model import Ridge
from stylobate.pipeline import make_pipeline
from stylobate.preprocessing import TableEncoder

RNG = np.random.default_rng(4)
N = 60


def orders():
    ordered = pd.Timestamp("2021-03-01") + pd.to_timedelta(RNG.integers(0, 400, N), unit="D")
    shipped = ordered + pd.to_timedelta(RNG.integers(0, 30 * 24, N), unit="h")
    shipped = pd.Series(shipped)
    shipped[RNG.random(N) < 0.1] = pd.NaT
    return pd.DataFrame({"ordered": ordered, "weight": RNG.normal(size=N), "shipped": shipped})


def test_days_between_two_dates():
    frame = orders()
    made = TableEncoder().set_output(transform="pandas").fit_transform(frame)
    days = (frame["shipped"] - frame["ordered"]) / pd.Timedelta(days=1)
    np.testing.assert_allclose(made["ordered_to_shipped_days"], days.fillna(days.median()))
    np.testing.assert_array_equal(made["ordered_to_shipped_days_missing"], days.isna())
    coded = TableEncoder(categories="codes").set_output(transform="pandas").fit_transform(frame)
    np.testing.assert_allclose(coded["ordered_to_shipped_days"], days)


def test_streams_and_files_say_the_same(tmp_path):
    frame = orders()
    memory = TableEncoder(scale=True).set_output(transform="default").fit(frame)
    parts = [Batch(frame.iloc[a:b]) for a, b in pairwise([0, 7, 30, N])]
    found = TableEncoder(scale=True).set_output(transform="default")
    found.fit(Stream(lambda: iter(parts), "rows"))
    np.testing.assert_allclose(found.transform(frame), memory.transform(frame), atol=1e-9)
    from stylobate.storage import load, save

    save(memory, tmp_path / "encoder.stylobate")
    again = load(tmp_path / "encoder.stylobate").transform(frame)
    np.testing.assert_array_equal(again, memory.transform(frame))


def test_a_database_says_the_same():
    import duckdb

    from stylobate.formula import to_sql

    frame = orders()
    y = RNG.normal(size=N)
    model = make_pipeline(TableEncoder(), Ridge()).fit(frame, y)
    with duckdb.connect() as database:
        database.register("data", frame)
        found = database.execute(to_sql(model, dialect="duckdb")).df()
    np.testing.assert_allclose(found["prediction"], model.predict(frame), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("form", ["%m%d%Y", "%Y%m%d", "%d%m%Y"])
@pytest.mark.parametrize("kind", [int, float, str])
def test_dates_written_as_digits(form, kind):
    days = pd.Series(pd.date_range("1999-01-05", periods=80, freq="11D"))
    written = [kind(each) if kind is str else kind(int(each)) for each in days.dt.strftime(form)]
    frame = pd.DataFrame({"day": written})
    column = infer_schema(frame)["day"]
    assert (column.kind, column.notation) == ("datetime", form)
    made = TableEncoder().set_output(transform="pandas").fit_transform(frame)
    np.testing.assert_array_equal(made["day_year"], days.dt.year)
    np.testing.assert_array_equal(made["day_day"], days.dt.day)
    np.testing.assert_allclose(made["day_elapsed"], (days - days[0]).dt.days)


def test_amounts_of_eight_digits_are_no_dates():
    amounts = RNG.integers(1_011_900, 99_999_999, 300)
    few = np.array([20240101, 20240102] * 20)
    schema = infer_schema(pd.DataFrame({"amount": amounts, "code": np.append(few, [0] * 260)}))
    assert schema["amount"].kind == "numeric"
    assert schema["code"].kind != "datetime"


def test_a_coordinate_alone_is_a_number():
    places = pd.DataFrame({"latitude": RNG.uniform(-60, 60, N), "longitude": RNG.uniform(0, 90, N)})
    kinds = infer_schema(places)
    assert kinds["latitude"].kind == "geospatial"
    alone = TableEncoder(kinds={"latitude": "geospatial"}).fit(places[["latitude"]])
    other = pd.DataFrame({"latitude": [1.2345, -7.5]})
    np.testing.assert_array_equal(np.asarray(alone.transform(other)).ravel(), [1.2345, -7.5])
