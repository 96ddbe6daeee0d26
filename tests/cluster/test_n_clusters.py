"""`select_n_clusters`: each criterion against another computation, the choice on known tables."""

from __future__ import annotations

import csv
import gzip
import os
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate import threads
from stylobate.cluster import KMeans, select_n_clusters
from stylobate.cluster.n_clusters.choice import choose
from stylobate.cluster.n_clusters.elbow import elbow_of
from stylobate.cluster.n_clusters.gap import gap_statistic, reference_rows
from stylobate.cluster.n_clusters.labelings import dispersion
from stylobate.cluster.n_clusters.stability import (
    overlapping_subsamples,
    prediction_strength,
    symmetric_strength,
)
from stylobate.exceptions import InvalidDataError, InvalidParameterError

FEW = {"n_references": 5, "n_resamples": 6, "random_state": 0}


def balls(k, seed=0, n=240, p=2, spread=0.35):
    """Rows about k centres that are at least 2.5 apart."""
    draw = np.random.default_rng(seed)
    centres = []
    while len(centres) < k:
        candidate = draw.uniform(-5, 5, p)
        if all(np.linalg.norm(candidate - other) > 2.5 for other in centres):
            centres.append(candidate)
    labels = np.arange(n) % k
    return np.array(centres)[labels] + spread * draw.normal(size=(n, p)), labels


@pytest.fixture(scope="module")
def three():
    """Evidence on three balls."""
    x, labels = balls(3, seed=1)
    return x, labels, select_n_clusters(x, range(1, 7), **FEW)


@pytest.mark.parametrize(("k", "p"), [(3, 2), (5, 3)])
def test_finds_the_number_of_balls(k, p):
    x, labels = balls(k, seed=k, p=p)
    found = select_n_clusters(x, range(1, 8), **FEW)
    assert found.best == k
    assert found.votes["gap"] == found.votes["stability"] == found.votes["silhouette"] == k
    assert found.confidence == "high"
    chosen = found.labels_for(k)
    assert len({*zip(chosen.tolist(), labels.tolist(), strict=True)}) == k  # the same partition


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("shape", ["one ball", "square", "long box"])
def test_one_cluster_is_enough(shape, seed):
    draw = np.random.default_rng(seed)
    x = draw.normal(size=(200, 3)) if shape == "one ball" else draw.uniform(size=(200, 2))
    x = x * [8.0, 1.0] if shape == "long box" else x
    found = select_n_clusters(x, range(1, 6), **FEW)
    assert found.best == 1, found
    assert found.sentence.startswith("One cluster is enough")


@pytest.mark.parametrize(("name", "k", "most"), [("hepta", 7, 9), ("tetra", 4, 6), ("r15", 15, 17)])
def test_benchmark_tables(name, k, most):
    folder = Path(os.environ.get("STYLOBATE_DATA", Path.cwd().parent / "shared" / "data"))
    places = list((folder / "clustering").glob(f"*/{name}.csv.gz"))
    if not places:
        pytest.skip("the shared benchmark tables are not here")
    with gzip.open(places[0], "rt") as stream:
        header, *rows = csv.reader(stream)
    columns = [j for j, title in enumerate(header) if not title.startswith("labels")]
    x = np.array(rows, dtype=float)[:, columns]
    quick = {"n_references": 4, "n_resamples": 4, "random_state": 0}
    found = select_n_clusters(x, range(max(1, k - 3), most), **quick)
    assert found.best == k, found
    assert {found.votes["silhouette"], found.votes["stability"]} == {k}


# Each criterion against an independent computation.


def test_silhouettes_and_their_errors(three):
    from sklearn.metrics import silhouette_samples

    x, _, found = three
    assert np.isnan(found.silhouette[0])
    for at in range(1, len(found.n_clusters)):
        values = silhouette_samples(x, found.labels[at])
        assert found.silhouette[at] == pytest.approx(values.mean(), rel=1e-10)
        expected = values.std() / np.sqrt(len(x))
        assert found.silhouette_error[at] == pytest.approx(expected, rel=1e-9)


def test_inertia_is_that_of_the_labels(three):
    x, _, found = three
    for at, k in enumerate(found.n_clusters):
        pairs = 0.0  # W = Σ over clusters of Σ over pairs ‖x − y‖² / size
        for label in range(k):
            rows = x[found.labels[at] == label]
            pairs += sum(((a - b) ** 2).sum() for a, b in combinations(rows, 2)) / len(rows)
        # k-means stops a little before the centres are the means
        assert pairs * (1 - 1e-9) <= found.inertia[at] <= pairs * 1.01
        assert dispersion(x, found.labels[at]) == pytest.approx(pairs, rel=1e-9)


def test_gaps_agree_with_another_program_within_their_errors(three):
    from sklearn.cluster import KMeans as TheirKMeans

    x, _, found = three
    draw = np.random.default_rng(99)
    centred = x - x.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(centred.T))
    along = centred @ axes
    logs = []
    for _ in range(6):
        made = draw.uniform(along.min(axis=0), along.max(axis=0), along.shape) @ axes.T
        logs.append(
            [np.log(TheirKMeans(k, n_init=2, random_state=0).fit(made).inertia_) for k in (1, 2, 3)]
        )
    logs = np.array(logs)
    expected = logs.mean(axis=0) - np.log(found.inertia[:3])
    error = np.hypot(logs.std(axis=0) / np.sqrt(6), found.gap.standard_error[:3] / np.sqrt(6))
    assert (np.abs(found.gap.gap[:3] - expected) < 4 * error + 1e-3).all()


def test_gap_formula_and_both_rules():
    ks = np.array([1, 2, 3, 4])
    own = np.array([100.0, 90.0, 10.0, 9.0])
    others = [np.array([100.0, 60.0, 40.0, 30.0]) * factor for factor in (0.9, 1.1)]
    found = gap_statistic(ks, own, others)
    logs = np.log(others)
    for at in range(4):
        assert found.gap[at] == pytest.approx(logs[:, at].mean() - np.log(own[at]))
        expected = np.sqrt(((logs[:, at] - logs[:, at].mean()) ** 2).mean()) * np.sqrt(1.5)
        assert found.standard_error[at] == pytest.approx(expected)
    assert found.first == 1  # two are no better than one
    assert found.best == 3  # and three are


def test_reference_boxes():
    draw = np.random.default_rng(0)
    along = np.column_stack([draw.uniform(-9, 9, 4000), draw.uniform(-1, 1, 4000)])
    turn = np.array([[0.6, 0.8], [-0.8, 0.6]])
    x = along @ turn + [5.0, -3.0]
    made = (reference_rows(x, "pca", draw) - [5.0, -3.0]) @ turn.T
    assert np.abs(made).max(axis=0) == pytest.approx([9.0, 1.0], abs=0.1)
    assert made.std(axis=0) == pytest.approx([18 / np.sqrt(12), 2 / np.sqrt(12)], rel=0.05)
    box = reference_rows(x, "box", draw)
    assert (box >= x.min(axis=0)).all()
    assert (box <= x.max(axis=0)).all()
    mixed = reference_rows(x, "permutation", draw)
    assert np.array_equal(np.sort(mixed, axis=0), np.sort(x, axis=0))
    assert abs(np.corrcoef(mixed.T)[0, 1]) < 0.1 < abs(np.corrcoef(x.T)[0, 1])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=25))
def test_prediction_strength_counts_pairs(rows):
    a, b = (np.array(each) for each in zip(*rows, strict=True))
    shares = []
    for label in np.unique(a):
        inside = np.flatnonzero(a == label)
        pairs = list(combinations(inside, 2))
        shares.append(sum(b[i] == b[j] for i, j in pairs) / len(pairs) if pairs else 0.0)
    counts = np.zeros((4, 4))
    np.add.at(counts, (a, b), 1.0)
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    assert prediction_strength(counts) == pytest.approx(min(shares))
    assert symmetric_strength(counts) <= prediction_strength(counts)


def test_subsamples_overlap():
    one, other, common = overlapping_subsamples(100, 0.5, np.random.default_rng(0))
    assert len(one) == len(other) == 50
    assert np.array_equal(common, sorted({*one.tolist()} & {*other.tolist()}))


def test_stability_of_balls_and_by_chance(three):
    _, _, found = three
    stability = found.stability
    at = 2
    assert stability.mean[at] == 1.0
    assert (stability.adjusted_rand[at] == 1.0).all()
    assert stability.mean[3:].max() < 0.8
    assert stability.reference[at].mean() < 0.9


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(0.01, 50), min_size=4, max_size=12))
def test_elbow_is_farthest_below_the_chord(falls):
    inertia = np.cumsum(np.array(falls)[::-1])[::-1].copy()
    ks = np.arange(1, len(inertia) + 1)
    chord = np.linspace(inertia[0], inertia[-1], len(inertia))
    below = chord - inertia
    expected = elbow_of(ks, inertia)
    if expected is None:
        assert below.max() <= 1e-6 * inertia[0]
    else:
        assert below[expected - 1] == pytest.approx(below.max())


# The choice.


def test_how_sure_the_choice_is():
    all_four = choose({"silhouette": 3, "gap": 3, "elbow": 3, "stability": 3})
    assert (all_four.n_clusters, all_four.confidence) == (3, "high")
    three_of_four = choose({"silhouette": 3, "gap": 3, "elbow": 2, "stability": 3})
    assert three_of_four.confidence == "high"
    plural = choose({"silhouette": 2, "gap": 5, "elbow": 3, "stability": 5})
    assert (plural.n_clusters, plural.confidence) == (5, "moderate")
    tie = choose({"silhouette": 2, "gap": 3, "elbow": 2, "stability": 3})
    assert (tie.n_clusters, tie.confidence) == (3, "low")
    apart = choose({"silhouette": 2, "gap": 4, "elbow": 3, "stability": 5})
    assert (apart.n_clusters, apart.confidence) == (5, "low")
    assert choose({"silhouette": 2, "gap": 1, "elbow": 3, "stability": 1}).n_clusters == 1
    assert choose({"silhouette": 2, "gap": 1, "elbow": 2, "stability": 4}).n_clusters == 2
    rising = {"silhouette": 10, "gap": 6, "elbow": 3, "stability": 1}
    assert (choose(rising).n_clusters, choose(rising, last=10).n_clusters) == (10, 6)


# Determinism, containers, weights, other estimators.


def test_same_seed_same_evidence_whatever_the_threads():
    x, _ = balls(3, n=90)
    tables = []
    for count in (1, 2, 7):
        with threads(count):
            tables.append(select_n_clusters(x, range(1, 5), **FEW).table())
    for name, values in tables[0].items():
        for other in tables[1:]:
            assert np.array_equal(values, other[name], equal_nan=True), name


def test_a_sample_of_the_rows_is_told():
    x, _ = balls(3, n=600)
    found = select_n_clusters(x, range(1, 5), max_rows=150, **FEW)
    assert found.best == 3
    assert len(found.rows) == found.labels.shape[1] == 150
    assert np.array_equal(found.rows, np.unique(found.rows))
    assert found.notes == ("The evidence comes from 150 of 600 rows.",)


def test_weights_count():
    x, _ = balls(3, n=120)
    stray = np.concatenate([x, [[40.0, 40.0], [40.5, 40.0], [40.0, 40.5]]])
    weights = np.append(np.ones(len(x)), [1e-9] * 3)
    quick = {"criteria": ("silhouette", "elbow"), "random_state": 0}
    found = select_n_clusters(stray, range(1, 5), sample_weight=weights, **quick)
    plain = KMeans(3, n_init=4, random_state=0).fit(x)
    at = list(found.n_clusters).index(3)
    assert found.inertia[at] <= plain.inertia_ * (1 + 1e-6)
    assert found.best == 3


def test_one_criterion_and_frames():
    pandas = pytest.importorskip("pandas")
    x, _ = balls(3, n=90)
    frame = pandas.DataFrame(x, columns=["a", "b"])
    found = select_n_clusters(frame, range(2, 5), criteria="silhouette", random_state=0)
    assert found.votes == {"silhouette": 3}
    assert found.gap is None
    assert found.stability is None
    assert found.confidence == "low"  # one criterion alone
    assert found.n_clusters.tolist() == [1, 2, 3, 4]


def test_other_estimators_of_ours_and_theirs():
    from sklearn.cluster import AgglomerativeClustering

    x, _ = balls(3, n=90)
    quick = {"n_references": 3, "n_resamples": 3, "random_state": 0}
    assert select_n_clusters(x, range(1, 5), AgglomerativeClustering(), **quick).best == 3


def test_listeners_are_told_and_may_interrupt():
    x, _ = balls(3, n=60)
    told = []
    select_n_clusters(x, range(1, 4), progress=lambda *each: told.append(each), **FEW)
    assert [done for done, _, _ in told] == list(range(1, told[0][1] + 1))

    def stop(done, total, what):
        if done == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        select_n_clusters(x, range(1, 4), progress=stop, **FEW)


def test_rows_that_are_all_alike_and_few_different_ones():
    found = select_n_clusters(np.ones((20, 2)), **FEW)
    assert found.best == 1
    assert found.sentence == "One cluster is enough: all rows are alike."
    assert "one different row" in found.notes[0]
    two = select_n_clusters(np.repeat([[0.0], [1.0]], 10, axis=0), **FEW)
    assert two.best == 1
    assert two.sentence == "One cluster, for no other number could be tried: that is no evidence."
    twice = np.repeat([[0.0], [1.0], [5.0]], 10, axis=0)
    found = select_n_clusters(twice, **FEW)
    assert found.n_clusters.tolist() == [1, 2]
    assert "3 different rows" in found.notes[0]
    assert select_n_clusters([[0.0], [1.0]], **FEW).best == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n_clusters": [0, 2]}, "n_clusters must be whole numbers"),
        ({"n_clusters": [True]}, "n_clusters must be whole numbers"),
        ({"criteria": ("silhouettes",)}, "criteria must be some of"),
        ({"criteria": ()}, "criteria must be some of"),
        ({"reference": "gauss"}, "reference must be one of"),
        ({"n_references": 1}, "n_references must be"),
        ({"n_resamples": 2.5}, "n_resamples must be"),
        ({"max_rows": 0}, "max_rows must be"),
        ({"estimator": object()}, "no parameter n_clusters"),
    ],
)
def test_refusals(options, words):
    x, _ = balls(2, n=20)
    with pytest.raises(InvalidParameterError, match=words.replace("(", r"\(")):
        select_n_clusters(x, **options)


def test_refuses_what_is_no_table():
    with pytest.raises(InvalidDataError, match="NaN"):
        select_n_clusters([[0.0], [np.nan], [1.0]])
    with pytest.raises(InvalidDataError, match="1 sample"):
        select_n_clusters([[0.0]])


def test_prints_and_tells(three):
    _, _, found = three
    lines = str(found).splitlines()
    assert lines[0].startswith("3 clusters, sure (")
    assert len(lines) == 2 + len(found.n_clusters)
    assert max(map(len, lines[1:])) <= 100
    told = found.to_dict()
    assert told["best"] == 3
    assert told["evidence"]["silhouette"][0] is None


def test_picture(three):
    _, _, found = three
    panels = found.plot()
    titles = [ax.get_title(loc="left") for ax in panels.flat]
    assert titles == [f"{n.capitalize()}: {found.votes[n]}" for n in
                      ("elbow", "silhouette", "gap", "stability")]  # fmt: skip
    line = panels[0, 0].get_lines()[0]
    assert np.array_equal(line.get_xdata(), found.n_clusters)
    assert np.array_equal(line.get_ydata(), found.inertia)
