"""Gower's dissimilarity against its definition."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate.distances import Gower
from stylobate.metrics import gower_distances


def brute(rows, others, nominal, weights, widths):
    out = np.full((len(rows), len(others)), np.nan)
    for i, a in enumerate(rows):
        for j, b in enumerate(others):
            total = weight = 0.0
            for u, v, is_name, w, width in zip(a, b, nominal, weights, widths, strict=True):
                if any(t is None or t != t for t in (u, v)):
                    continue
                total += w * (float(u != v) if is_name else abs(u - v) / width)
                weight += w
            if weight > 0:
                out[i, j] = total / weight
    return out


def table(rng, n):
    rows = []
    for _ in range(n):
        row = [
            rng.normal(),
            int(rng.integers(5)),
            str(rng.choice(["a", "b", "c"])),
            bool(rng.integers(2)),
        ]
        rows.append([None if rng.random() < 0.15 else cell for cell in row])
    return rows


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 0.5, 3.0]])
def test_against_the_definition(weights):
    rng = np.random.default_rng(0)
    x, y = table(rng, 30), table(rng, 41)
    x[3] = [None] * 4
    widths = []
    for j in range(4):
        present = [row[j] for row in x + y if isinstance(row[j], int | float)]
        widths.append(max(present) - min(present) if present else 1.0)
    nominal = [False, False, True, True]
    w = weights or [1.0] * 4
    want = brute(x, y, nominal, w, widths)
    np.testing.assert_allclose(gower_distances(x, y, weights=weights), want, rtol=1e-12)
    assert np.isnan(want[3]).all()


def test_frames_kinds_and_ranges():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    data = {
        "age": [20.0, 30.0, None, 40.0],
        "size": ["small", "large", "small", None],
        "level": [1, 3, 2, 1],
    }
    for make in (pandas.DataFrame, polars.DataFrame):
        got = gower_distances(make(data))
        np.testing.assert_allclose(got[0], [0.0, (0.5 + 1 + 1) / 3, (0 + 0.5) / 2, (1 + 0) / 2])
        got = gower_distances(make(data), kinds={"level": "nominal"})
        np.testing.assert_allclose(got[0, 1], (0.5 + 1 + 1) / 3)
        np.testing.assert_allclose(got[0, 2], (0 + 1) / 2)
        got = gower_distances(make(data), kinds={"size": "ordinal"}, ranges={"age": 100.0})
        np.testing.assert_allclose(got[0, 1], (0.1 + 1 + 1) / 3)
    category = pandas.DataFrame({"c": pandas.Categorical(["x", "y", None, "x"])})
    got = gower_distances(category)
    assert got[0, 1] == 1
    assert got[0, 3] == 0
    assert np.isnan(got[0, 2])


def test_nearest_rows():
    rng = np.random.default_rng(1)
    x = table(rng, 50)
    matrix = gower_distances(x)
    np.testing.assert_array_equal(matrix, matrix.T)
    np.fill_diagonal(matrix, np.inf)
    _, rows = Gower().between(x).nearest(4, skip_self=True)
    key = np.where(np.isnan(matrix), np.inf, matrix)
    assert (rows == np.argsort(key, axis=1, kind="stable")[:, :4]).all()


def test_refusals():
    rows = [[1, "a"], [2, "b"]]
    with pytest.raises(ValueError, match="the kind of"):
        gower_distances(rows, kinds={0: "colour"})
    with pytest.raises(ValueError, match="no column"):
        gower_distances(rows, kinds={"nope": "numeric"})
    with pytest.raises(ValueError, match="to be numeric"):
        gower_distances(rows, kinds={1: "numeric"})
    with pytest.raises(ValueError, match="one for each column"):
        gower_distances(rows, kinds=["numeric"])
    with pytest.raises(ValueError, match="weights must be"):
        gower_distances(rows, weights=[1, -1])
    with pytest.raises(ValueError, match="same columns"):
        gower_distances(rows, [[1]])
    with pytest.raises(ValueError, match="range"):
        gower_distances(rows, ranges={0: 0.0})
    with pytest.raises(ValueError, match="infinities"):
        gower_distances([[np.inf], [1.0]])


def ordered(pandas, values, levels=("lo", "mid", "hi")):
    return pandas.Categorical(values, list(levels), ordered=True)


def test_ordered_categories_keep_their_order():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    frame = pandas.DataFrame({"o": ordered(pandas, ["lo", "mid", "hi"])})
    levels = ["lo", "mid", "hi"]
    enum = polars.DataFrame({"o": levels}, schema={"o": polars.Enum(levels)})
    for table in (frame, enum):
        for kinds in (None, {"o": "ordinal"}):
            np.testing.assert_allclose(gower_distances(table, kinds=kinds)[0], [0, 0.5, 1])
        nominal = gower_distances(table, kinds="nominal")
        np.testing.assert_allclose(nominal[0], [0, 1, 1])
    # levels declared but not there leave gaps, as in cluster::daisy
    gaps = pandas.DataFrame({"o": ordered(pandas, ["a", "b", "d"], "abcd")})
    np.testing.assert_allclose(gower_distances(gaps)[0], [0, 1 / 3, 1])


def test_dates_are_numeric():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    from datetime import UTC, date, datetime, timedelta

    days = [date(2020, 1, 1), date(2020, 1, 4), None, date(2020, 1, 11)]
    moments = [None if d is None else datetime(d.year, d.month, d.day) for d in days]
    zoned = [None if m is None else m.replace(tzinfo=UTC) for m in moments]
    spans = [None if d is None else timedelta(days=d.day) for d in days]
    tables = [
        polars.DataFrame({"d": days}), polars.DataFrame({"d": moments}),
        polars.DataFrame({"d": spans}), pandas.DataFrame({"d": pandas.to_datetime(moments)}),
        pandas.DataFrame({"d": pandas.Series(days, dtype=object)}),
        pandas.DataFrame({"d": pandas.to_datetime(pandas.Series(zoned), utc=True)}),
        [[d] for d in days], [[m] for m in zoned],
        np.array(moments, dtype="M8[s]")[:, None],
    ]  # fmt: skip
    for table in tables:
        np.testing.assert_allclose(gower_distances(table)[0], [0, 0.3, np.nan, 1])
        again = gower_distances(table, kinds=["numeric"], ranges={_name(table): timedelta(20)})
        np.testing.assert_allclose(again[0], [0, 0.15, np.nan, 0.5])


def _name(table):
    return "d" if hasattr(table, "columns") else 0


def test_ranges_are_those_of_the_fit():
    pandas = pytest.importorskip("pandas")
    train = pandas.DataFrame({"x": [0.0, 10.0], "c": ["a", "b"]})
    new = pandas.DataFrame({"x": [5.0, 30.0, 5.0], "c": ["a", "z", "y"]})
    metric = Gower().learnt(train)
    want = [[0.25, 0.75], [2.0, 1.5], [0.75, 0.75]]
    np.testing.assert_allclose(metric.between(new, train).write(), want)
    for i in range(3):  # row by row as all together
        np.testing.assert_allclose(metric.between(new[i : i + 1], train).write(), want[i : i + 1])
    unseen = metric.between(new).write()  # two values never seen are two
    np.testing.assert_allclose(unseen[1], [(2.5 + 1) / 2, 0, (2.5 + 1) / 2])
    with pytest.raises(ValueError, match="stands where"):
        metric.between(new[["c", "x"]], train)
    ranks = Gower().learnt(pandas.DataFrame({"o": ordered(pandas, ["lo", "hi"])}))
    with pytest.raises(ValueError, match="no place among"):
        ranks.between(pandas.DataFrame({"o": ["huge"]}))


def test_a_function_of_the_weighted_sum():
    rows = [[0.0, "a"], [10.0, "b"], [5.0, "a"]]
    sums = np.array([[0, 5, 1], [5, 0, 4], [1, 4, 0]])  # 2 |Δ| / 10 + 3 [≠]
    np.testing.assert_allclose(gower_distances(rows, weights=[2, 3], f=np.sqrt), np.sqrt(sums))
    np.testing.assert_allclose(gower_distances(rows, weights=[2, 3], f=lambda s: s), sums)
    near = Gower(weights=[2, 3], f=np.sqrt).between(rows)
    np.testing.assert_allclose(near.nearest(1, skip_self=True)[0].ravel(), [1, 2, 1])
    assert near.count(1.0).tolist() == [2, 1, 2]
    assert near.count(2.0).tolist() == [2, 2, 3]
    with pytest.raises(ValueError, match="entry by entry"):
        gower_distances(rows, f=np.sum)


def test_neighbours_of_mixed_columns(tmp_path):
    pandas = pytest.importorskip("pandas")
    import stylobate
    from stylobate.neighbors import KNeighborsClassifier, KNeighborsRegressor, NearestNeighbors

    rng = np.random.default_rng(2)
    days = pandas.to_timedelta(rng.integers(0, 99, 80), "D")
    frame = pandas.DataFrame(
        {
            "age": rng.normal(size=80),
            "town": rng.choice(["Rome", "Oslo", "Bonn"], 80),
            "size": ordered(pandas, rng.choice(["lo", "mid", "hi"], 80)),
            "day": pandas.to_datetime("2020-01-01") + days,
        }
    )  # fmt: skip
    frame.loc[3, "age"] = np.nan
    train, new = frame[:60], frame[60:]
    y = np.where(train["town"] == "Oslo", "cold", "warm")
    matrix = Gower().learnt(train).between(new, train).write()
    order = np.argsort(matrix, axis=1, kind="stable")[:, :4]
    for metric in ("gower", Gower()):
        model = NearestNeighbors(n_neighbors=4, metric=metric).fit(train)
        distances, rows = model.kneighbors(new)
        assert (rows == order).all()
        np.testing.assert_allclose(distances, np.take_along_axis(matrix, order, 1), rtol=1e-12)
        _, alone = model.kneighbors(new[:1])  # one query as many
        assert (alone == rows[:1]).all()
        assert model.feature_names_in_.tolist() == list(frame.columns)
        lists = model.radius_neighbors(new, 0.2, return_distance=False)
        assert [len(each) for each in lists] == (matrix <= 0.2).sum(axis=1).tolist()
    model = KNeighborsClassifier(3, metric="gower", metric_params={"weights": [0, 1, 0, 0]})
    model.fit(train, y)
    assert (model.predict(new) == np.where(new["town"] == "Oslo", "cold", "warm")).all()
    model.save(tmp_path / "model")
    assert (stylobate.load(tmp_path / "model").predict(new) == model.predict(new)).all()
    means = KNeighborsRegressor(4, metric="gower").fit(train, np.arange(60.0))
    np.testing.assert_allclose(means.predict(new), order.mean(axis=1))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(new.rename(columns={"age": "years"}))


def test_hamming_of_texts():
    pandas = pytest.importorskip("pandas")
    from scipy.spatial.distance import hamming

    from stylobate.metrics.pairwise import pairwise_distances, pairwise_distances_argmin
    from stylobate.neighbors import NearestNeighbors

    words = ["karolin", "kathrin", "kerstin"]
    got = pairwise_distances(words, metric="hamming")
    want = [[hamming(list(a), list(b)) for b in words] for a in words]
    np.testing.assert_allclose(got, want)
    assert (pairwise_distances(words[:1], words, metric="hamming") == got[:1]).all()
    table = [["a", "x"], ["a", "y"], ["b", "y"]]
    np.testing.assert_allclose(
        pairwise_distances(table, metric="hamming"), [[0, 0.5, 1], [0.5, 0, 0.5], [1, 0.5, 0]]
    )
    frame = pandas.DataFrame(table)
    np.testing.assert_allclose(
        pairwise_distances(frame, frame[1:], metric="hamming", w=[3, 1]),
        [[0.25, 1], [0, 0.75], [0.75, 0]],
    )
    assert pairwise_distances_argmin([["b", "z"]], table, metric="hamming") == 2
    model = NearestNeighbors(n_neighbors=1, metric="hamming").fit(table)
    assert model.kneighbors([["b", "q"]])[1] == 2
    with pytest.raises(ValueError, match="3 to 4 letters"):
        pairwise_distances(["abc", "abcd"], metric="hamming")
