"""`describe_clusters`: kinds respected, effect sizes true, the page and the model whole."""

from __future__ import annotations

import json

import numpy as np
import pytest

from stylobate import load, save
from stylobate.data.column_table import ColumnTable
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.exploration import describe_clusters
from stylobate.exploration.clusters.certainty import certainty_of
from stylobate.exploration.clusters.pictures import principal_coordinates
from stylobate.exploration.clusters.traits import share_difference, standardized_difference


def mixed_table(n=120, seed=0):
    """Two groups: young in the north who buy tea, old in the south who buy coffee."""
    draw = np.random.default_rng(seed)
    group = np.arange(n) % 2
    age = np.where(group, 60.0, 25.0) + 4 * draw.normal(size=n)
    income = 30 + 8 * draw.normal(size=n)
    drink = np.where(draw.uniform(size=n) < 0.1, "milk", np.where(group, "coffee", "tea"))
    region = np.where(draw.uniform(size=n) < 0.08, "west", np.where(group, "south", "north"))
    age[3], drink[5] = np.nan, ""
    days = np.datetime64("2024-01-01") + np.where(group, 200, 0) + draw.integers(0, 60, n)
    return {
        "customer": np.array([f"C{i:05d}" for i in range(n)], dtype=object),
        "age": age,
        "income": income,
        "drink": np.where(drink == "", None, drink).astype(object),
        "region": region.astype(object),
        "since": days,
        "country": np.full(n, "DE", dtype=object),
        "remark": np.array(
            [f"wrote a long letter about order {i * 7919}" for i in range(n)], object
        ),
    }, group


@pytest.fixture(scope="module")
def people():
    table, group = mixed_table()
    return table, group, describe_clusters(table, 2, method="kmedoids")


@pytest.fixture(scope="module")
def penguins():
    return describe_clusters("penguins", 3, method="kmeans")


def test_kinds_are_respected(people):
    _, group, report = people
    assert set(report.columns) == {"age", "income", "drink", "region", "since"}
    assert set(report.left_out) == {"customer", "country", "remark"}
    assert report.left_out["country"].startswith("constant")
    assert report.left_out["remark"].startswith(("text", "identifier"))
    agreement = (report.labels == group).mean()
    assert max(agreement, 1 - agreement) > 0.95
    assert any("2 cells are missing (age, drink)" in note for note in report.notes)


def test_traits_are_those_of_the_table(people):
    table, _, report = people
    for cluster in report:
        inside = report.labels == cluster.label
        titles = {trait.column for trait in cluster.traits}
        assert "income" not in titles  # noise
        assert {"age", "drink"} <= titles
        for trait in cluster.traits:
            if trait.column == "age":
                known = ~np.isnan(table["age"])
                a, b = table["age"][inside & known], table["age"][~inside & known]
                scatter = (len(a) - 1) * a.var(ddof=1) + (len(b) - 1) * b.var(ddof=1)
                d = (a.mean() - b.mean()) / np.sqrt(scatter / (len(a) + len(b) - 2))
                assert trait.effect == pytest.approx(d)
                assert (trait.inside, trait.outside) == pytest.approx((a.mean(), b.mean()))
            elif trait.column == "drink" and trait.value is not None:
                rows = table["drink"] == trait.value
                one, other = rows[inside].mean(), rows[~inside].mean()
                assert (trait.inside, trait.outside) == pytest.approx((one, other))
                assert trait.ratio == (pytest.approx(one / other) if other else None)
        assert list(cluster.typical) == list(report.columns)
        row = cluster.typical_row
        assert inside[row]
        assert cluster.typical["region"] == table["region"][row]
    assert sum(each.size for each in report) == len(report.labels) == 120


def test_effect_sizes():
    draw = np.random.default_rng(0)
    a, b = draw.normal(1.0, 2.0, 4000), draw.normal(0.0, 2.0, 4000)
    assert standardized_difference(a, b) == pytest.approx(0.5, abs=0.08)
    assert standardized_difference(np.ones(3), np.ones(4)) == 0.0
    assert standardized_difference(np.ones(3), np.zeros(4)) == 10.0
    assert standardized_difference(np.ones(0), np.zeros(4)) == 0.0
    assert share_difference(1.0, 0.0) == pytest.approx(np.pi)
    assert share_difference(0.2, 0.7) == -share_difference(0.7, 0.2)


def test_principal_coordinates_are_those_of_the_svd():
    x = np.random.default_rng(0).normal(size=(60, 5)) @ np.diag([5, 3, 1, 1, 0.5])
    points, shares = principal_coordinates(x)
    centred = x - x.mean(axis=0)
    u, s, _ = np.linalg.svd(centred, full_matrices=False)
    assert np.abs(points) == pytest.approx(np.abs(u[:, :2] * s[:2]), abs=1e-9)
    assert shares == pytest.approx((s**2 / (s**2).sum())[:2])
    one, _ = principal_coordinates(x[:, :1])
    assert one.shape == (60, 2)


@pytest.mark.parametrize("method", ["kmeans", "kmedoids", "gmm", "ward", "hdbscan"])
def test_every_method_gives_a_model_that_predicts_and_keeps(method, tmp_path):
    names = {"gmm": "GaussianMixture", "ward": "AgglomerativeClustering", "hdbscan": "HDBSCAN"}
    if method in names:
        module = pytest.importorskip(f"stylobate.{'mixture' if method == 'gmm' else 'cluster'}")
        if not hasattr(module, names[method]):
            pytest.skip(f"{names[method]} is not there")
    draw = np.random.default_rng(1)
    group = np.arange(90) % 3
    x = np.array([[0, 0], [6, 0], [0, 6]])[group] + 0.5 * draw.normal(size=(90, 2))
    table = {"a": x[:, 0], "b": x[:, 1]}
    report = describe_clusters(table, "auto" if method == "hdbscan" else 3, method=method)
    assert report.n_clusters == 3
    placed = report.labels >= 0
    assert placed.mean() > 0.8
    assert len({*zip(report.labels[placed].tolist(), group[placed].tolist(), strict=True)}) == 3
    again = load(save(report.model, tmp_path / "model.stylobate"))
    new = ColumnTable({"a": np.array([6.1, 0.1]), "b": np.array([0.1, 5.9])})
    expected = [report.labels[group == 1], report.labels[group == 2]]
    usual = [np.bincount(each[each >= 0]).argmax() for each in expected]
    assert np.asarray(again.predict(new)).tolist() == usual
    assert report.certainty.min() >= 0.0
    assert report.certainty.max() <= 1.0
    assert np.median(report.certainty[placed]) > 0.4


def test_certainty_of_centres():
    from stylobate.cluster import KMeans

    x = np.array([[0.0], [2.0], [10.0], [12.0]])
    model = KMeans(2, random_state=0).fit(x)
    sure, _ = certainty_of(model, np.array([[1.0], [6.0], [3.0]]))
    assert sure == pytest.approx([1.0, 0.0, 1 - 2 / 8])


def test_the_number_is_found_and_said():
    table, _ = mixed_table()
    numbers = {name: table[name] for name in ("age", "income")}
    report = describe_clusters(numbers)
    assert report.method == "kmeans"
    assert report.evidence is not None
    assert report.n_clusters == report.evidence.best
    assert report.sentence.startswith("2 clusters, ")
    assert report.confidence in ("high", "moderate", "low")


def test_one_cluster_is_said_and_described():
    draw = np.random.default_rng(0)
    report = describe_clusters({"a": draw.uniform(size=150), "b": draw.uniform(size=150)})
    assert report.n_clusters == 1
    assert report.sentence.startswith("One cluster is enough")
    assert report.clusters[0].words == "no single column sets it apart"
    assert report.silhouette is None
    assert "One cluster is enough" in report.to_html()
    same = describe_clusters({"a": [1, 1, 1, 1, 2, 2, 2, 2] * 4})
    assert same.used_rows == 32


def test_mixtures_by_bic():
    draw = np.random.default_rng(0)
    x = np.concatenate([draw.normal(0, 1, (60, 2)), draw.normal(7, 1, (60, 2))])
    report = describe_clusters({"a": x[:, 0], "b": x[:, 1]}, method="gmm")
    assert report.sentence.startswith("2 clusters: ")
    assert "BIC" in report.sentence
    assert report.evidence is None
    assert report.certainty_measure == "the probability of its cluster"


def test_a_sample_is_learnt_from_and_all_rows_counted():
    table, group = mixed_table(600)
    report = describe_clusters(table, 2, columns=["age", "since"], sample=100)
    assert (report.rows, report.used_rows) == (600, 100)
    assert len(report.labels) == len(report.row_numbers) == 100
    agreement = (report.labels == group[report.row_numbers]).mean()
    assert max(agreement, 1 - agreement) > 0.95
    assert any("100 of 600 rows" in note for note in report.notes)


def test_same_seed_same_report():
    table, _ = mixed_table()
    one, other = (describe_clusters(table, 3, random_state=5).to_json() for _ in range(2))
    assert one == other


def test_text_json_and_page(penguins):
    text = str(penguins)
    assert text.startswith("penguins: 344 rows, compared by")
    assert max(map(len, text.splitlines())) <= 100
    assert "against" in text
    assert "typical: row" in text
    told = json.loads(penguins.to_json())
    assert told["n_clusters"] == 3
    assert sum(each["size"] for each in told["clusters"]) == 344
    assert set(told["clusters"][0]["traits"][0]) >= {"column", "effect", "inside", "words"}
    page = penguins.to_html()
    assert page.lower().startswith("<!doctype html>")
    assert "http" not in page.replace("http-equiv", "")
    for each in penguins:
        assert each.traits[0].words.split(":")[0] in page
    assert page.count('class="dots') == 3


def test_what_comes_from_the_table_is_text_on_the_page():
    draw = np.random.default_rng(0)
    kinds = np.array(["<script>alert(1)</script>", "<b>x</b>"], dtype=object)
    table = {
        "<img src=x>": np.concatenate([draw.normal(0, 1, 30), draw.normal(9, 1, 30)]),
        "kind": np.repeat(kinds, 30),
    }
    page = describe_clusters(table, 2, method="kmeans").to_html()
    assert "<img" not in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;" in page


def test_lookup(penguins):
    label = penguins.clusters[0].label
    assert penguins[label] is penguins.clusters[0]
    assert len(penguins) == 3
    with pytest.raises(KeyError, match="There is no cluster 17"):
        penguins[17]


@pytest.mark.parametrize(
    ("table", "options", "error", "words"),
    [
        ({"a": [1.0, 2.0]}, {}, InvalidDataError, "clusters need 4 at least"),
        ({"a": []}, {}, InvalidDataError, "has no rows"),
        ({"a": [1.0] * 9}, {}, InvalidDataError, "No column of table tells rows apart"),
        ({"a": [1.0, 2.0, np.inf, 4.0, 5.5]}, {}, InvalidDataError, "holds an infinite number"),
        ({"a": [1.0, 2.0] * 4}, {"n_clusters": 3}, InvalidParameterError, "are 2 different rows"),
        ({"a": [1.0, 2.0] * 4}, {"n_clusters": 0}, InvalidParameterError, "n_clusters must be"),
        ({"a": [1.0, 2.0] * 4}, {"n_clusters": "two"}, InvalidParameterError, "n_clusters must be"),
        ({"a": [1.0, 2.0] * 4}, {"method": "magic"}, InvalidParameterError, "method must be one"),
        ({"aa": [1.0, 2.0] * 4}, {"columns": ["ab"]}, InvalidParameterError, "Did you mean 'aa'"),
        ({"a": [1.0, 2.0] * 4}, {"columns": []}, InvalidParameterError, "names no column"),
        ({"a": [1.0, 2.0] * 4}, {"sample": 1}, InvalidParameterError, "sample must be"),
        ({"a": [1.0, 2.0] * 4}, {"random_state": -1}, InvalidParameterError, "random_state must"),
        (
            {"a": [1.0, 2.0] * 4},
            {"method": "hdbscan", "n_clusters": 2},
            InvalidParameterError,
            "finds the number of clusters itself",
        ),
    ],
)
def test_refusals(table, options, error, words):
    with pytest.raises(error, match=words):
        describe_clusters(table, **options)


def test_categories_that_almost_every_row_has_for_itself_take_no_part():
    table, _group = mixed_table()
    tickets = np.array([f"ticket {i // 2 if i < 30 else i}" for i in range(120)], dtype=object)
    with_tickets = {**table, "ticket": tickets}
    found = describe_clusters(with_tickets, 2, schema={"ticket": "nominal"})
    assert found.left_out["ticket"] == "almost all different: 105 categories in 120 rows"
    without = describe_clusters(table, 2)
    np.testing.assert_array_equal(found.labels, without.labels)
    assert found.silhouette == without.silhouette
    asked = describe_clusters(
        with_tickets, 2, columns=["age", "ticket"], schema={"ticket": "nominal"}
    )
    assert set(asked.columns) == {"age", "ticket"}


def test_clusters_that_repeat_a_column_are_said_to():
    draw = np.random.default_rng(0)
    kind = np.array(["a", "b", "c"], dtype=object)[np.arange(90) % 3]
    table = {"kind": kind, "x": draw.normal(size=90), "y": draw.normal(size=90)}
    notes = describe_clusters(table, 3).notes
    assert any(note.startswith("the clusters are almost those of kind: leave it") for note in notes)
    table["kind"] = draw.permutation(kind)
    apart = {**table, "x": table["x"] + 50.0 * (np.arange(90) % 2)}
    assert not any("almost those" in note for note in describe_clusters(apart, 2).notes)
