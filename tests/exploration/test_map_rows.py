"""`map_rows`: kinds respected, trust and purity true, refusals in a sentence."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import map_rows
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration.cells import Cells
from stylobate.exploration.maps.embedding import choose_embedding
from stylobate.exploration.maps.encoding import encode_rows
from stylobate.exploration.maps.trust import kept_by_row


def people(n=120, seed=0):
    """Two groups apart in numbers, categories and dates, with all kinds of other columns."""
    draw = np.random.default_rng(seed)
    group = np.arange(n) % 2
    age = np.where(group, 60.0, 25.0) + 4 * draw.normal(size=n)
    drink = np.where(draw.uniform(size=n) < 0.1, "milk", np.where(group, "coffee", "tea"))
    drink = drink.astype(object)
    age[3], drink[5] = np.nan, None
    return {
        "customer": np.array([f"C{i:05d}" for i in range(n)], dtype=object),
        "age": age,
        "spent": np.exp(draw.normal(size=n)),
        "drink": drink,
        "since": np.datetime64("2024-01-01") + np.where(group, 200, 0) + draw.integers(0, 60, n),
        "country": np.full(n, "DE", dtype=object),
        "remark": np.array(
            [f"{'the coffee was bitter' if g else 'such lovely tea'} on day {i} of all"
             for i, g in enumerate(group)], dtype=object,
        ),
        "group": np.where(group, "old", "young").astype(object),
    }  # fmt: skip


@pytest.fixture(scope="module")
def found():
    return map_rows(people(), target="group", method="pca", schema={"remark": "text"})


def test_kinds_are_respected(found):
    assert set(found.columns) == {"age", "spent", "drink", "since", "remark"}
    assert found.left_out["customer"].startswith("identifier")
    assert found.left_out["country"].startswith("constant")
    assert found.left_out["group"] == "the target"
    assert any("2 cells are missing (age, drink)" in note for note in found.notes)
    assert any("pulled in (spent)" in note for note in found.notes)


def test_groups_are_told_apart(found):
    separation = found.separation
    assert separation.measure == "purity"
    assert separation.chance == pytest.approx(59 / 119)
    assert separation.among_rows > 0.95
    assert set(separation.groups) == {"old", "young"}
    assert separation.by_map["PCA"] > 0.95
    first = found.components[0]
    assert 0 < first.share < 1
    assert {"age", "since"} & set(first.weights)


def test_the_plane_is_that_of_the_singular_values(found):
    cells = [each for each in found.cells if each.column.name in found.columns]
    matrix = encode_rows(cells).matrix
    centred = matrix - matrix.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    assert np.abs(found.maps[0].points) == pytest.approx(np.abs(u[:, :2] * s[:2]), abs=1e-8)
    assert np.abs(found.maps[1].points) == pytest.approx(np.abs(u[:, 2:4] * s[2:4]), abs=1e-8)
    assert found.components[0].share == pytest.approx(s[0] ** 2 / (s**2).sum())


def test_trust_is_counted_right(found):
    cells = [each for each in found.cells if each.column.name in found.columns]
    rows = encode_rows(cells).matrix
    plane = found.maps[0]
    away = np.linalg.norm(rows[:, None] - rows[None], axis=2)
    on_map = np.linalg.norm(plane.points[:, None] - plane.points[None], axis=2)
    np.fill_diagonal(away, np.inf)
    np.fill_diagonal(on_map, np.inf)
    shares = [
        len({*np.argsort(a)[:15]} & {*np.argsort(m)[:15]}) / 15
        for a, m in zip(away, on_map, strict=True)
    ]
    assert plane.kept_by_row == pytest.approx(np.array(shares))
    assert plane.neighbors_by_chance == pytest.approx(15 / 119)


def test_a_perfect_map_keeps_all_and_rows_alike_are_not_told_apart():
    rows = np.repeat(np.random.default_rng(0).normal(size=(6, 2)), 5, axis=0)
    reach = np.zeros(30)  # the fourth nearest is the same row again
    shifted = np.array([[(i // 5) * 5 + (i + k) % 5 for k in (1, 2, 3, 4)] for i in range(30)])
    assert (kept_by_row(rows, reach, shifted) == 1.0).all()
    assert (kept_by_row(rows, reach, (shifted + 5) % 30) == 0.0).all()


def test_encoding_distances():
    table = {"x": [0.0, 1.0, 2.0, 3.0, 400.0], "kind": ["a", "b", "a", "c", None]}
    cells = map_rows({k: np.array(v * 4, dtype=object if k == "kind" else float)
                      for k, v in table.items()}, method="pca", n_neighbors=3,
                     schema={"kind": "nominal"}).cells  # fmt: skip
    encoded = encode_rows(cells)
    assert encoded.names == ("x", "kind = a", "kind = b", "kind = c", "kind missing")
    assert encoded.matrix[:, 0].std() == pytest.approx(1.0)
    assert encoded.matrix[:, 0].max() < 3.0  # 400 is pulled in
    assert (np.diff(encoded.matrix[:5, 0]) > 0).all()
    ones = encoded.matrix[:, 1:]
    assert np.linalg.norm(ones[0] - ones[1]) == pytest.approx(1.0)
    assert np.linalg.norm(ones[0] - ones[4]) == pytest.approx(1.0)
    assert encoded.pulled == ("x",)
    units = encode_rows(cells, scale=False)
    assert np.ptp(units.matrix[:, 0]) == 400.0


def test_many_categories_share_a_coordinate():
    codes = np.arange(300) % 40
    from stylobate.data.kinds.schema import Column

    column = Column("city", "nominal", "as told", 40, 0)
    cells = Cells(column, np.array([f"c{k:02d}" for k in range(40)], dtype=object), codes)
    encoded = encode_rows([cells])
    assert encoded.matrix.shape == (300, 21)
    assert encoded.names[-1] == "city: rare"
    assert np.linalg.norm(encoded.matrix, axis=1) == pytest.approx(np.sqrt(0.5))


def test_a_row_far_away_is_told_with_its_columns():
    draw = np.random.default_rng(1)
    table = {f"x{j}": draw.normal(size=200) for j in range(4)}
    table["x2"][17] = 60.0
    found = map_rows(table, method="pca")
    assert found.outliers[0].row == 17
    assert "x2" in found.outliers[0].columns
    assert found.outliers[0].ratio > 2
    assert "row 18:" in found.summary()


def test_a_numeric_target_is_explained_by_neighbours():
    draw = np.random.default_rng(0)
    x = draw.uniform(size=(300, 2))
    told = map_rows({"a": x[:, 0], "b": x[:, 1], "y": x.sum(axis=1)}, target="y", method="pca")
    assert told.separation.measure == "explained variance"
    assert told.separation.among_rows > 0.9
    noise = map_rows({"a": x[:, 0], "b": x[:, 1], "y": draw.normal(size=300)}, target="y",
                     method="pca")  # fmt: skip
    assert noise.separation.among_rows < 0.15


@pytest.mark.parametrize("method", ["tsne", "umap"])
def test_neighbour_embeddings_keep_neighbours_and_repeat(method):
    found = map_rows("iris", target="species", method=method)
    again = map_rows("iris", target="species", method=method)
    plane = found.maps[1]
    assert plane.axes == ("", "")
    assert np.array_equal(plane.points, again.maps[1].points)
    assert np.isfinite(plane.points).all()
    assert plane.neighbors_kept > 5 * plane.neighbors_by_chance
    assert plane.trustworthiness > 0.9
    assert found.separation.by_map[plane.name] > 0.8
    assert "distances between groups" in found.summary()


def test_the_method_follows_the_rows():
    assert choose_embedding("auto", 20_000)[0] == "tsne"
    assert choose_embedding("auto", 20_001)[0] == "umap"
    assert choose_embedding("umap", 10) == ("umap", "as asked for")


def test_a_sample_is_told_and_numbered():
    table = {"a": np.arange(300.0), "b": np.arange(300.0) ** 2 % 17}
    found = map_rows(table, method="pca", sample=50)
    assert found.used_rows == len(found.row_numbers) == 50
    assert any("show 50 of 300 rows, drawn at random" in note for note in found.notes)
    cells = {each.column.name: each for each in found.cells}
    assert (cells["a"].numbers() == found.row_numbers).all()
    columns = found.coordinates
    assert list(columns)[:3] == ["row", "pca_x", "pca_y"]
    assert (columns["row"] == found.row_numbers + 1).all()


def test_small_and_odd_tables():
    for table in (
        {"a": [1.0, 2.0, 3.0, 4.0, 6.0]},  # one column, five rows
        {"a": [1.0, 2.0] * 10, "b": ["x", "y"] * 10},  # two different rows
        {"a": [1.0, 2.0, np.nan, 4.0, 5.5, 8.0], "b": [None, "x", "y", "x", "y", "x"]},
    ):
        found = map_rows(table, method="pca", schema={"b": "nominal"} if "b" in table else None)
        for plane in found.maps:
            assert np.isfinite(plane.points).all()
            assert ((plane.kept_by_row >= 0) & (plane.kept_by_row <= 1)).all()
        assert max(map(len, found.summary().splitlines())) <= 100
        assert found.to_html().startswith("<!DOCTYPE html>")


def test_frames_and_arrays():
    import pandas as pd
    import polars as pl

    x = np.random.default_rng(0).normal(size=(40, 3))
    names = ["a", "b", "c"]
    of_array = map_rows(x, method="pca")
    for frame in (pd.DataFrame(x, columns=names), pl.DataFrame(x, schema=names)):
        assert map_rows(frame, method="pca").maps[0].points == pytest.approx(
            of_array.maps[0].points
        )


GOOD = {"aa": [1.0, 2.0, 3.5, 4.0] * 4, "b": [2.0, 1.0, 0.0, 7.5] * 4}


@pytest.mark.parametrize(
    ("table", "options", "error", "words"),
    [
        ({"a": [1.0, 2.0]}, {}, InvalidDataError, "has 2 rows: a map needs 5"),
        ({"a": [1.0] * 9}, {}, InvalidDataError, "No column"),
        ({"a": [1.0, 2, np.inf, 4, 5.5, 7]}, {}, InvalidDataError, "infinite number"),
        (GOOD, {"method": "magic"}, InvalidParameterError, "method must be one of auto, pca"),
        (GOOD, {"target": "ab"}, InvalidParameterError, "target names no column 'ab'. Did you"),
        (GOOD, {"color": "ab"}, InvalidParameterError, "color names no column"),
        (GOOD, {"columns": []}, InvalidParameterError, "columns names no column"),
        (
            GOOD,
            {"drop": ["zz"]},
            InvalidParameterError,
            "drop names no column 'zz'. The columns are",
        ),
        (
            {"a": [0, np.inf, 1, 1, 1], **{c: [np.inf, 0, 1, 2, 3] for c in "bcde"}},
            {},
            InvalidDataError,
            "holds an infinite number",
        ),
        (GOOD, {"sample": 2}, InvalidParameterError, "sample must be a whole number from 5"),
        (GOOD, {"n_neighbors": 1}, InvalidParameterError, "n_neighbors must be"),
        (GOOD, {"perplexity": np.nan}, InvalidParameterError, "perplexity must be"),
        (GOOD, {"random_state": -1}, InvalidParameterError, "random_state must be"),
    ],
)
def test_refusals(table, options, error, words):
    with pytest.raises(error, match=words):
        map_rows(table, **options)


def test_what_few_rows_do_not_allow_is_said():
    table = {"a": np.arange(13.0), "b": np.arange(13.0) ** 2}
    notes = " ".join(map_rows(table, method="tsne", perplexity=1e4, n_neighbors=40).notes)
    assert "the perplexity of 10000 is more than 13 rows allow; t-SNE took 4" in notes
    assert "40 neighbours are too many of 13 rows: trust is measured by the 3 nearest" in notes
    few = map_rows(table, method="tsne", perplexity=2, n_neighbors=3)
    assert not any("perplexity" in note or "neighbours" in note for note in few.notes)


def test_the_picture_is_coloured_by_columns(found):
    left, right = found.plot()
    assert [text.get_text() for text in right.get_legend().get_texts()] == ["old", "young"]
    assert "of neighbours kept" in left.get_title(loc="left")
    found.plot(color="age")
    with pytest.raises(InvalidParameterError, match="color names no column"):
        found.plot(color="nothing")


def flat_places(n=14, seed=0):
    """Places on a plane, named, and the table of the distances between them."""
    places = np.random.default_rng(seed).normal(size=(n, 2)) * [3.0, 1.0]
    names = [f"town {chr(97 + i)}" for i in range(n)]
    distances = np.linalg.norm(places[:, None] - places, axis=2)
    return places, names, distances


def test_a_table_of_distances_is_placed_by_them():
    _places, names, distances = flat_places()
    table = {"town": names} | dict(zip(names, distances.T, strict=True))
    found = map_rows(table)
    assert [plane.name for plane in found.maps] == ["Classical scaling", "t-SNE"]
    points = found.maps[0].points
    between = np.linalg.norm(points[:, None] - points, axis=2)
    np.testing.assert_allclose(between, distances, atol=1e-9)
    assert found.maps[0].neighbors_kept == 1.0
    assert any("placed by classical scaling; euclidean" in note for note in found.notes)
    assert found.components == ()
    assert found.names == "town"
    assert "Principal components" not in str(found)
    assert 'id="components"' not in found.to_html()


@pytest.mark.parametrize("spoilt", ["lopsided", "diagonal", "touching", "missing", "oblong"])
def test_other_tables_are_not_of_distances(spoilt):
    names, distances = flat_places()[1:]
    if spoilt == "lopsided":
        distances[2, 5] += 0.1
    elif spoilt == "diagonal":
        distances[3, 3] = 0.5
    elif spoilt == "touching":
        distances[1, 2] = distances[2, 1] = 0.0
    elif spoilt == "missing":
        distances[1, 2] = distances[2, 1] = np.nan
    else:
        distances = distances[:, :-1]
    found = map_rows(dict(zip(names, distances.T, strict=False)), method="pca")
    assert found.maps[0].name == "PCA"


def test_the_column_that_shows_on_the_maps_colours_them():
    draw = np.random.default_rng(0)
    group = draw.integers(0, 3, 90)
    table = {
        "noise": draw.choice(["a", "b"], 90),
        "group": np.array(["red", "green", "blue"], dtype=object)[group],
        "x": 9.0 * group + draw.normal(size=90),
        "y": -7.0 * (group == 1) + draw.normal(size=90),
    }
    assert map_rows(table, method="pca").color == "group"
    assert map_rows(table, method="pca", color="noise").color == "noise"
    assert map_rows(table, method="pca", target="noise").color == "noise"
    amounts = map_rows({"x": table["x"], "y": table["y"]}, method="pca")
    assert amounts.color in ("x", "y")
    many = {name: np.array([f"k{i}" for i in draw.integers(0, 15, 90)], object) for name in "ab"}
    assert map_rows(many, method="pca", schema=dict.fromkeys("ab", "nominal")).color is None


def test_few_rows_are_named_in_pictures():
    names, distances = flat_places()[1:]
    found = map_rows({"town": names} | dict(zip(names, distances.T, strict=True)), method="pca")
    left, _right = found.plot()
    assert [text.get_text() for text in left.texts] == names
    many = {"town": [f"t{i}" for i in range(61)], "x": np.arange(61.0), "y": np.arange(61.0) % 7}
    found = map_rows(many, method="pca")
    assert found.names is None
    assert not found.plot()[0].texts
