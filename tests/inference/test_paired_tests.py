"""Paired tests against SciPy, statsmodels and published formulas, and their level by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference import corrected_resampled_t_test, holm, mcnemar_test, sign_test
from stylobate.model_selection import KFold

A = np.array([0.81, 0.79, 0.84, 0.80, 0.83, 0.78])
B = np.array([0.78, 0.77, 0.80, 0.79, 0.84, 0.75])


def test_without_overlap_it_is_the_paired_t_test():
    test = corrected_resampled_t_test(A, B, test_to_train=0.0, level=0.9)
    reference = stats.ttest_rel(A, B)
    assert test.statistic == pytest.approx(reference.statistic)
    assert test.p == pytest.approx(reference.pvalue)
    interval = reference.confidence_interval(0.9)
    assert (test.details["low"], test.details["high"]) == pytest.approx(tuple(interval))


def test_the_correction_is_that_of_nadeau_and_bengio():
    # Equation 11 of Nadeau & Bengio (2003), written out.
    d = A - B
    variance = sum((d - d.mean()) ** 2) / 5
    t = d.mean() / np.sqrt((1 / 6 + 0.2) * variance)
    test = corrected_resampled_t_test(A, B, test_to_train=0.2)
    assert test.statistic == pytest.approx(t)
    assert test.p == pytest.approx(2 * stats.t.sf(abs(t), 5))
    swapped = corrected_resampled_t_test(B, A, test_to_train=0.2)
    assert swapped.statistic == pytest.approx(-t)
    assert swapped.p == test.p


def test_no_difference_at_all():
    test = corrected_resampled_t_test(A, A * (1 + 1e-15), test_to_train=0.2)
    assert (test.statistic, test.p, test.details["std_error"]) == (0.0, 1.0, 0.0)
    always = corrected_resampled_t_test([2.0, 2.0, 2.0], [1.0, 1.0, 1.0], test_to_train=0.2)
    assert always.p == 0.0


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5))
def test_sign_test_is_scipys_binomial_test(wins, losses, ties):
    if wins + losses == 0:
        return
    first = np.r_[np.ones(wins), np.zeros(losses), np.ones(ties)]
    second = np.r_[np.zeros(wins), np.ones(losses + ties)]
    test = sign_test(first, second)
    assert test.p == pytest.approx(stats.binomtest(wins, wins + losses, 0.5).pvalue)
    assert test.details == {"wins": wins, "losses": losses, "ties": ties}


@given(st.tuples(*[st.integers(0, 40)] * 4), st.sampled_from([None, True, False]))
def test_mcnemar_is_that_of_statsmodels(counts, exact):
    both, n10, n01, neither = counts
    if sum(counts) == 0 or n10 + n01 == 0:
        return
    a = np.repeat([1, 1, 0, 0], counts)
    b = np.repeat([1, 0, 1, 0], counts)
    test = mcnemar_test(np.ones(sum(counts)), a, b, exact=exact)
    exactly = n10 + n01 < 25 if exact is None else exact
    reference = mcnemar([[both, n10], [n01, neither]], exact=exactly)
    if not exactly and n10 == n01:  # Edwards' correction never makes a difference of none
        assert test.p == 1.0
    else:
        assert test.p == pytest.approx(reference.pvalue, abs=1e-12)
        assert test.statistic == pytest.approx(reference.statistic)
    assert list(test.details.values()) == [n10, n01, both, neither]


@pytest.mark.parametrize("p", [[0.2], [0.01, 0.04, 0.03, 0.005], [0.5, 0.5, 1.0], [0.0, 0.9, 0.02]])
def test_holm_is_that_of_statsmodels(p):
    reference = multipletests(p, method="holm")[1]
    np.testing.assert_allclose(holm(p), reference)
    np.testing.assert_allclose(holm([*p, np.nan])[:-1], reference)


def test_labels_may_be_strings():
    test = mcnemar_test(["a", "b", "c"], ["a", "b", "b"], ["a", "c", "c"])
    assert (test.details["first_only"], test.details["second_only"], test.p) == (1, 1, 1.0)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: sign_test([1.0, 2.0], [1.0]), InvalidDataError, "equal length"),
        (lambda: sign_test([1.0, np.nan], [1.0, 2.0]), InvalidDataError, "missing"),
        (lambda: mcnemar_test([1, 0], [1, 0], [1]), InvalidDataError, r"\(2,\) and \(1,\)"),
        (
            lambda: corrected_resampled_t_test([1.0], [2.0], test_to_train=0.1),
            InvalidDataError,
            "at least two",
        ),
        (
            lambda: corrected_resampled_t_test(A, B, test_to_train=-1),
            InvalidParameterError,
            "test_to_train",
        ),
        (
            lambda: corrected_resampled_t_test(A, B, test_to_train=0.1, level=95),
            InvalidParameterError,
            "between 0 and 1",
        ),
    ],
)
def test_what_cannot_be_tested(call, error, message):
    with pytest.raises(error, match=message):
        call()


def fold_errors(x, y, folds):
    """Mean squared errors on each fold of the regression on one column, by the textbook's sums."""
    errors = []
    for train, test in folds:
        a, b = x[train] - x[train].mean(), y[train] - y[train].mean()
        slope = (a @ b) / (a @ a)
        away = y[test] - y[train].mean() - slope * (x[test] - x[train].mean())
        errors.append((away**2).mean())
    return np.array(errors)


def test_level_under_the_null():
    """Two models with equal expected scores: few of 250 data sets show a difference, where the
    t test that takes repeated folds for independent sees one very often."""
    random = np.random.default_rng(0)
    n, repeats, corrected, naive = 60, 250, 0, 0
    shuffled = [KFold(5, shuffle=True, random_state=seed) for seed in range(5)]
    folds = [split for each in shuffled for split in each.split(np.ones(n))]
    for _ in range(repeats):
        signal = random.normal(size=n)
        y = signal + random.normal(size=n)
        # two columns with the same law given y: neither is the better
        scores = [fold_errors(signal + random.normal(size=n), y, folds) for _ in range(2)]
        corrected += corrected_resampled_t_test(*scores, test_to_train=1 / 4).p < 0.05
        naive += corrected_resampled_t_test(*scores, test_to_train=0.0).p < 0.05
    assert corrected / repeats < 0.1
    assert naive / repeats > 0.3


def test_level_of_the_exact_tests():
    """The binomial law gives at most 5% false alarms, exactly computed for 20 discordant rows."""
    heads = np.arange(21)
    p = [sign_test(np.arange(20) < k, np.arange(20) >= k).p for k in heads]
    level = stats.binom.pmf(heads, 20, 0.5)[np.array(p) < 0.05].sum()
    assert 0.03 < level <= 0.05
