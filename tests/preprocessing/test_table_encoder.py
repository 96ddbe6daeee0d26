"""TableEncoder: from any table to numbers without a gap, in pipelines, and back."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from stylobate.linear_model import LogisticRegression
from stylobate.preprocessing import DatetimeEncoder, GeoEncoder, TableEncoder
from stylobate.preprocessing.time_and_place.dates import calendar, moments_of
from stylobate.preprocessing.time_and_place.places import haversine, unit_sphere

N = 40
COLUMNS = {
    "id": [f"k{i}" for i in range(N)],
    "price": [f"${i * 37 % 101},{i:03}.50" if i % 9 else "n/a" for i in range(N)],
    "colour": [["red", "blue", "green", None][i % 4] for i in range(N)],
    "size": [["small", "large", "medium"][i % 3] for i in range(N)],
    "sold": ["yes" if i % 5 else "no" for i in range(N)],
    "when": [dt.datetime(2024, 1, 1) + dt.timedelta(hours=31 * i) for i in range(N)],
    "lat": [48.0 + i / 10 for i in range(N)],
    "lon": [7.0 + i / 20 for i in range(N)],
    "words": [f"a sentence about the thing {i}" for i in range(N)],
    "same": ["x"] * N,
}
BUILD = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}


@pytest.mark.parametrize("library", BUILD)
def test_every_kind_in_every_library(library):
    frame = BUILD[library](COLUMNS)
    encoder = TableEncoder(points=[[48.0, 7.0]])
    out = encoder.fit_transform(frame)
    assert type(out) is type(frame)
    table = dict(zip(encoder.get_feature_names_out(), np.asarray(out, dtype=float).T, strict=True))
    assert encoder.dropped_.keys() == {"id", "words", "same"}
    assert all(np.isfinite(column).all() for column in table.values())
    assert table["price"][1] == 37001.5
    assert table["price_missing"].sum() == 5
    assert table["size"][:3].tolist() == [0, 2, 1]
    assert table["sold_yes"][:2].tolist() == [0, 1]
    assert table["colour_missing"][3] == 1
    assert table["when_year"][0] == 2024
    assert table["when_elapsed"][1] == pytest.approx(31 / 24)
    assert table["lat_lon_km_to_48_7"][0] == pytest.approx(0.0, abs=1e-6)
    np.testing.assert_array_equal(
        np.asarray(encoder.transform(frame), float), np.array([*table.values()]).T
    )


def test_there_and_back_where_possible():
    frame = pd.DataFrame(COLUMNS)
    encoder = TableEncoder(scale=True)
    back = encoder.inverse_transform(encoder.fit_transform(frame))
    names = list(frame.columns)
    assert back[:, names.index("size")].tolist() == COLUMNS["size"]
    assert back[:, names.index("sold")].tolist() == COLUMNS["sold"]
    assert [v if isinstance(v, str) else None for v in back[:, 2]] == COLUMNS["colour"]
    assert back[1, names.index("price")] == pytest.approx(37001.5)
    assert np.isnan(back[0, names.index("price")])
    assert back[0, names.index("when")] is None


def test_anything_may_come_at_prediction():
    encoder = TableEncoder(text="hash", n_hashed=3).fit(pd.DataFrame(COLUMNS))
    strange = pd.DataFrame(
        {
            "id": [None], "price": ["much"], "colour": ["violet"], "size": ["?"],
            "sold": ["perhaps"], "when": [pd.NaT], "lat": [np.nan], "lon": [np.nan],
            "words": [None], "same": ["y"],
        }
    )  # fmt: skip
    out = encoder.transform(strange)
    assert list(out.columns) == list(encoder.get_feature_names_out())
    assert np.isfinite(out.to_numpy()).all()


def test_many_categories():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"city": [f"c{i}" for i in rng.integers(0, 50, 300)]})
    y = rng.normal(size=300)
    merged = TableEncoder(max_categories=5).fit(frame)
    assert merged.get_feature_names_out()[-1] == "city_rare"
    assert len(merged.get_feature_names_out()) == 5
    target = TableEncoder(many="target").fit(frame, y)
    assert target.get_feature_names_out().tolist() == ["city_mean"]
    crossed = TableEncoder(many="target").fit_transform(frame, y)
    assert abs(np.corrcoef(crossed["city_mean"], y)[0, 1]) < 0.3
    assert np.corrcoef(target.transform(frame)["city_mean"], y)[0, 1] > 0.3  # its own target seen
    with pytest.raises(ValueError, match="needs y"):
        TableEncoder(many="target").fit(frame)


def test_in_a_pipeline_with_cross_validation():
    frame = pd.DataFrame(COLUMNS).drop(columns="sold")
    model = make_pipeline(TableEncoder(scale=True), LogisticRegression())
    scores = cross_val_score(model, frame, COLUMNS["sold"], cv=4)
    assert np.isfinite(scores).all()


def test_kinds_can_be_told_and_the_summary_says_all():
    frame = pd.DataFrame({"grade": [1, 2, 3] * 5, "key": list(range(15))})
    encoder = TableEncoder(kinds={"grade": "nominal", "key": "identifier"}).fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["grade_1", "grade_2", "grade_3"]
    assert "left out" in encoder.summary()
    assert "as given" in encoder.summary()
    with pytest.raises(ValueError, match="names the column 'age'"):
        TableEncoder(kinds={"age": "numeric"}).fit(frame)


def test_calendar_against_pandas():
    when = pd.Series(pd.date_range("1969-12-30 05:30", periods=500, freq="37h"))
    found = calendar(moments_of(when.to_numpy()), ("year", "day", "is_weekend"), None)
    np.testing.assert_array_equal(found["year"], when.dt.year)
    np.testing.assert_array_equal(found["day"], when.dt.day)
    np.testing.assert_array_equal(found["is_weekend"], when.dt.day_of_week >= 5)
    cycles = calendar(moments_of(when.to_numpy()), ("month", "weekday", "hour"), None)
    angle = 2 * np.pi * (when.dt.month - 1) / 12
    np.testing.assert_allclose(cycles["month_sin"], np.sin(angle), atol=1e-12)
    angle = 2 * np.pi * when.dt.day_of_week / 7
    np.testing.assert_allclose(cycles["weekday_cos"], np.cos(angle), atol=1e-12)


@given(*[st.floats(-90, 90), st.floats(-180, 180)] * 2)
def test_great_circles_and_chords_agree(north, east, other_north, other_east):
    here, there = unit_sphere([north, other_north], [east, other_east])
    chord = np.linalg.norm(here - there)
    arc = haversine([north], [east], (other_north, other_east))[0]
    assert arc == pytest.approx(2 * 6371.0088 * np.arcsin(min(chord / 2, 1.0)), abs=1e-3)


cells = st.one_of(st.none(), st.floats(-1e6, 1e6), st.text(max_size=5), st.booleans())


@given(st.lists(cells, min_size=1, max_size=15), st.lists(cells, min_size=1, max_size=5))
def test_any_column_becomes_finite_numbers(seen, new):
    table, later = (np.empty((len(v), 1), dtype=object) for v in (seen, new))
    table[:, 0], later[:, 0] = seen, new
    encoder = TableEncoder().fit(table)
    out = encoder.transform(later)
    assert out.shape == (len(new), len(encoder.get_feature_names_out()))
    assert np.isfinite(out).all()


@pytest.mark.parametrize("library", BUILD)
def test_datetime_encoder_in_every_library(library):
    frame = BUILD[library](
        {"when": [*COLUMNS["when"][:3], None], "day": ["31.12.2023"] * 3 + ["?"]}
    )
    encoder = DatetimeEncoder().fit(frame)
    out = encoder.set_output(transform="default").transform(frame)
    table = dict(zip(encoder.get_feature_names_out(), out.T, strict=True))
    np.testing.assert_allclose(table["when_elapsed"], [0, 31 / 24, 62 / 24, np.nan])
    assert "when_hour_sin" in table
    assert "day_hour_sin" not in table
    assert table["day_day"].tolist()[:3] == [31, 31, 31]
    assert np.isnan(table["day_day"][3])
    assert encoder.formats_ == [None, "%d.%m.%Y"]


def test_dates_that_are_none_are_refused():
    with pytest.raises(ValueError, match="holds no date"):
        DatetimeEncoder().fit([["red"], ["blue"]])
    with pytest.raises(ValueError, match="parts must be among"):
        DatetimeEncoder(parts=["century"]).fit([["2024-01-01"]])


def test_geo_encoder_there_and_back():
    frame = pd.DataFrame({"lat": [50.7, -33.9, 0.0], "lon": [7.1, 151.2, -179.5]})
    encoder = GeoEncoder(points=[[50.7, 7.1]])
    out = encoder.fit_transform(frame)
    np.testing.assert_allclose(encoder.inverse_transform(out), frame, atol=1e-9)
    assert out["lat_lon_km_to_50.7_7.1"].iloc[0] == pytest.approx(0, abs=1e-6)
    with pytest.raises(ValueError, match="exchanged"):
        encoder.fit(frame[["lon", "lat"]])
    with pytest.raises(ValueError, match="no degrees"):
        encoder.fit(frame * 1000)
    with pytest.raises(ValueError, match="latitude and a longitude"):
        GeoEncoder(points=[[1.0, 2.0, 3.0]]).fit(frame)
