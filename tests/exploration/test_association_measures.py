"""Measures of association against SciPy, statsmodels and brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats as st
from hypothesis import given
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

from stylobate.exploration.association import (
    CategoryColumn,
    ExactCorrelations,
    NumberColumn,
    associate,
    category_column,
    number_column,
)
from stylobate.exploration.association.grams import pairwise_correlations
from stylobate.exploration.association.laws import (
    benjamini_hochberg,
    noncentral_chi2_interval,
    noncentral_f_interval,
)
from stylobate.exploration.association.ranks import pairwise_rank_correlations, rank_column
from stylobate.exploration.association.tables import (
    cross_counts,
    equal_count_codes,
    table_statistics,
)


def one(found, measure):
    entries = [each for each in found if each.measure == measure]
    assert len(entries) == 1
    return entries[0]


@pytest.fixture
def rng():
    return np.random.default_rng(7)


def gappy(rng, n=200, share=0.15):
    """Columns with ties, gaps in different rows, and one without gaps."""
    base = rng.normal(size=n)
    columns = [base + rng.normal(size=n) for _ in range(3)]
    columns.append(np.round(columns[0]))
    for column in columns[1:]:
        column[rng.random(n) < share] = np.nan
    columns.append(np.where(np.isnan(columns[1]), np.nan, base**2))
    return columns


def test_correlations_are_those_of_scipy_on_common_rows(rng):
    columns = gappy(rng)
    found = associate([NumberColumn(f"x{j}", x) for j, x in enumerate(columns)])
    seen = 0
    for each in found:
        a, b = (columns[int(name[1:])] for name in (each.a, each.b))
        kept = ~np.isnan(a) & ~np.isnan(b)
        if each.measure == "mutual_information":
            continue
        peer = st.pearsonr if each.measure == "pearson" else st.spearmanr
        expected = peer(a[kept], b[kept])
        assert each.value == pytest.approx(expected.statistic, abs=1e-12)
        assert each.p_value == pytest.approx(expected.pvalue, rel=1e-8)
        assert each.n == kept.sum()
        if each.measure == "pearson":
            low, high = expected.confidence_interval()
            assert (each.low, each.high) == pytest.approx((low, high), abs=1e-12)
        seen += 1
    assert seen == 20


def test_steps_get_no_pearson(rng):
    columns = [
        NumberColumn("a", rng.normal(size=30)),
        NumberColumn("b", np.arange(30.0) % 3, "ordinal"),
    ]
    measures = {each.measure for each in associate(columns)}
    assert measures == {"spearman", "mutual_information"}


def test_cramers_v_and_information_against_scipy(rng):
    a, b = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    b[:90] = a[:90] % 3
    columns = [CategoryColumn("a", a, tuple("wxyz")), CategoryColumn("b", b, tuple("pqr"))]
    found = associate(columns)
    table = st.contingency.crosstab(a, b).count
    chi2 = st.chi2_contingency(table, correction=False)
    v = one(found, "cramers_v")
    assert v.p_value == pytest.approx(chi2.pvalue, rel=1e-10)
    assert v.raw == pytest.approx(st.contingency.association(table, method="cramer"), rel=1e-12)
    n, r, c = 300, 4, 3
    phi = max(chi2.statistic / n - (r - 1) * (c - 1) / (n - 1), 0)
    smallest = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1))
    assert v.value == pytest.approx(np.sqrt(phi / (smallest - 1)), rel=1e-12)
    assert v.low < v.value < v.high
    g = st.chi2_contingency(table, correction=False, lambda_="log-likelihood")
    information = one(found, "mutual_information")
    assert 2 * n * information.raw == pytest.approx(g.statistic, rel=1e-10)
    assert information.value == pytest.approx(information.raw - (12 - 4 - 3 + 1) / (2 * n))
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    williams = 1 + ((n / rows).sum() - 1) * ((n / columns).sum() - 1) / (6 * n * 6)
    assert information.p_value == pytest.approx(st.chi2.sf(g.statistic / williams, 6), rel=1e-9)


def test_correlation_ratio_against_f_oneway(rng):
    codes = rng.integers(0, 4, 120)
    x = rng.normal(size=120) + 0.6 * codes + 1e6
    x[:5] = np.nan
    found = one(
        associate([CategoryColumn("c", codes, tuple("abcd")), number_column("x", x)]),
        "correlation_ratio",
    )
    groups = [x[(codes == k) & ~np.isnan(x)] for k in range(4)]
    f = st.f_oneway(*groups)
    assert found.p_value == pytest.approx(f.pvalue, rel=1e-8)
    eta2 = f.statistic * 3 / (f.statistic * 3 + 111)
    assert found.raw == pytest.approx(np.sqrt(eta2), rel=1e-9)
    assert found.value == pytest.approx(np.sqrt(1 - (1 - eta2) * 114 / 111), rel=1e-9)


def test_noncentral_intervals_hold_what_the_law_does_not_reject():
    for x, df in ((3.0, 1), (30.0, 6), (700.0, 100)):
        low, high = (float(end) for end in noncentral_chi2_interval(x, df, 0.9))
        if low:
            assert st.ncx2.cdf(x, df, low) == pytest.approx(0.95, abs=1e-6)
        assert st.ncx2.cdf(x, df, high) == pytest.approx(0.05, abs=1e-6)
    for f, df1, df2 in ((6.0, 1, 40), (8.0, 4, 95), (40.0, 9, 500), (3000.0, 3, 2000)):
        low, high = (float(end) for end in noncentral_f_interval(f, df1, df2, 0.9))
        assert st.ncf.cdf(f, df1, df2, low) == pytest.approx(0.95, abs=1e-4)
        assert st.ncf.cdf(f, df1, df2, high) == pytest.approx(0.05, abs=1e-4)
    assert float(noncentral_chi2_interval(0.0, 3, 0.95)[1]) > 0  # luck is not knowledge


def test_q_values_are_those_of_scipy(rng):
    p = np.append(rng.random(40) ** 2, np.nan)
    assert np.isnan(benjamini_hochberg(p)[-1])
    assert benjamini_hochberg(p)[:-1] == pytest.approx(st.false_discovery_control(p[:-1]))


def test_exact_correlations_replace_those_of_the_sample(rng):
    columns = [NumberColumn(name, rng.normal(size=50)) for name in "ab"]
    exact = ExactCorrelations(("b", "a"), np.array([[1, 0.25], [0.25, 1]]), 10_000)
    found = associate(columns, exact=False, moments=exact)
    r = one(found, "pearson")
    assert (r.value, r.n, r.exact) == (0.25, 10_000, True)
    assert not one(found, "spearman").exact


@pytest.mark.parametrize(
    ("a", "b", "words"),
    [
        ([1.0, 1, 1, 1], [1.0, 2, 3, 4], "constant"),
        ([1.0, np.nan, 2, np.nan], [np.nan, 1, np.nan, 2], "only 0 rows"),
        ([1.0, 2, np.nan, np.nan], [1.0, 2, 3, 4], "only 2 rows"),
        ([np.nan] * 4, [1.0, 2, 3, 4], "only 0 rows"),
        ([5.0, 5, 5, 9], [1.0, 2, 3, np.nan], "constant"),
    ],
)
def test_no_number_without_a_reason(a, b, words):
    for each in associate([number_column("a", a), number_column("b", b)]):
        assert each.value is None
        assert words in each.reason or each.measure == "mutual_information"
        assert each.reason in repr(each)


def test_one_category_and_all_different_ones_have_reasons():
    x = number_column("x", [1.0, 2, 3, 4])
    same = associate([category_column("c", ["a"] * 4), x])
    assert "single value" in one(same, "correlation_ratio").reason
    apart = associate([category_column("c", list("abcd")), x])
    assert "different value in each" in one(apart, "correlation_ratio").reason
    assert associate([]).entries == ()


def test_equal_values_share_a_bin_and_bins_are_about_equal(rng):
    ranked = rank_column(rng.normal(size=1000))
    codes, ends = equal_count_codes(ranked, 8)
    assert np.bincount(codes).tolist() == [125] * 8
    assert len(ends) == 8
    tied = rank_column(np.round(rng.normal(size=1000) * 3))
    codes, ends = equal_count_codes(tied, 6)
    for value in tied.values:
        assert len(set(codes[tied.values[tied.places] == value])) == 1
    assert len(ends) == codes.max() + 1 <= 6


NUMBERS = some.sampled_from([0.0, 1.0, -1.0, 2.5, 1e300, -1e-300, 1e15, 1e15 + 1, np.nan, np.inf])
LABELS = some.sampled_from(["a", "b", "", "ü", None])


@given(
    arrays.arrays(float, (3, 12), elements=NUMBERS),
    some.lists(LABELS, min_size=12, max_size=12),
    some.lists(LABELS, min_size=12, max_size=12),
)
def test_nasty_columns_give_numbers_in_range_or_reasons(x, labels, others):
    columns = [number_column(f"x{j}", row) for j, row in enumerate(x)]
    columns += [category_column("c", labels), category_column("d", others)]
    found = associate(columns)
    for each in found:
        if each.value is None:
            assert each.reason
            assert each.p_value is None
            continue
        assert 0 <= each.strength <= 1
        assert each.low is None or each.low <= each.value <= each.high
        assert each.p_value is None or 0 <= each.p_value <= 1
    assert repr(found)


@given(arrays.arrays(float, (4, 9), elements=some.sampled_from([0.0, 1.0, 2.0, 7.0, np.nan])))
def test_grams_equal_pair_by_pair(x):
    pearson = pairwise_correlations(x)
    spearman = pairwise_rank_correlations([rank_column(row) for row in x])
    for i, j in itertools.combinations(range(4), 2):
        kept = ~np.isnan(x[i]) & ~np.isnan(x[j])
        a, b = x[i][kept], x[j][kept]
        assert pearson.n[i, j] == spearman.n[i, j] == len(a)
        if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
            assert np.isnan(pearson.r[i, j])
            assert np.isnan(spearman.r[i, j])
            continue
        assert pearson.r[i, j] == pytest.approx(np.corrcoef(a, b)[0, 1], abs=1e-9)
        expected = np.corrcoef(st.rankdata(a), st.rankdata(b))[0, 1]
        assert spearman.r[i, j] == pytest.approx(expected, abs=1e-9)


def test_counts_leave_out_what_is_missing(rng):
    a, b = rng.integers(-1, 4, 500), rng.integers(-1, 3, 500)
    table = cross_counts(a, 4, b, 3)
    expected = np.zeros((4, 3))
    for i, j in zip(a, b, strict=True):
        if i >= 0 and j >= 0:
            expected[i, j] += 1
    assert (table == expected).all()
    assert table_statistics(np.zeros((2, 2), dtype=np.int64)).n == 0


def test_the_correlation_ratio_is_that_of_all_categories_however_many(rng):
    codes = np.append(np.arange(700), rng.integers(0, 700, 4300))
    x = rng.normal(size=700)[codes] + rng.normal(size=5000)
    column = CategoryColumn("c", codes, tuple(range(700)))
    found = associate([column, number_column("x", x)])
    ratio = one(found, "correlation_ratio")
    f = st.f_oneway(*(x[codes == k] for k in range(700) if (codes == k).sum()))
    eta2 = 1 / (1 + 4300 / (699 * f.statistic))
    assert ratio.raw == pytest.approx(np.sqrt(eta2), rel=1e-9)
    assert ratio.value == pytest.approx(np.sqrt(1 - (1 - eta2) * 4999 / 4300), rel=1e-9)
    assert ratio.low < np.sqrt(0.5) < ratio.high
    assert ratio.note is None
    pooled = one(found, "mutual_information")
    assert "rare categories of c put together" in pooled.note
    assert pooled.note in repr(pooled)


def test_labels_that_hardly_repeat_do_not_pretend_to_explain(rng):
    codes = np.append(np.repeat(np.arange(10), 6), np.arange(10, 100))
    column = CategoryColumn("c", codes, tuple(range(100)))
    ratio = one(associate([column, number_column("x", rng.normal(size=150))]), "correlation_ratio")
    assert ratio.note is not None
    assert ratio.low == 0


def test_who_determines_whom(rng):
    city = rng.integers(0, 40, 2000)
    state = city // 8
    same = np.roll(np.arange(40), 3)[city]
    x = rng.normal(size=2000)
    columns = [
        CategoryColumn("city", city, tuple(range(40))),
        CategoryColumn("state", state, tuple("abcde")),
        CategoryColumn("code", same, tuple(range(40))),
        number_column("place", city % 7 + 1e-3 * x),
        number_column("x", x),
        number_column("minus", -2 * x),
    ]
    found = {frozenset((e.a, e.b)): e for e in associate(columns).strongest(None)}
    assert found[frozenset(("city", "state"))].determines == ("city",)
    assert not found[frozenset(("city", "state"))].mutual
    assert found[frozenset(("city", "code"))].mutual
    assert found[frozenset(("city", "place"))].determines == ("city",)
    assert found[frozenset(("x", "minus"))].mutual
    assert found[frozenset(("city", "x"))].determines == ()
    assert found[frozenset(("x", "minus"))].to_dict()["mutual"] is True
