"""The laws of merging, on statistics that obey them and on statistics that do not."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from stylobate.data import read_table
from stylobate.statistics import (
    ExtendedTriangularFactor,
    LinearModel,
    Moments,
    Statistic,
    TriangularFactor,
)
from stylobate.testing import LawError, check_merge_laws
from stylobate.testing.laws import stacked


def gram(factor):
    """R is determined up to signs of its rows; RᵀR is not."""
    return {
        "gram": factor.r.T @ factor.r,
        "facts": factor.to_arrays()["facts"],
    }


FINISH = {Moments: None, TriangularFactor: gram, ExtendedTriangularFactor: gram}


def parts(rng, cuts, *, kind=np.asarray, n_targets=1, weighted=False, p=3):
    n = cuts[-1]
    x = rng.normal(size=(n, p)) * 10.0 ** rng.integers(-2, 3, p) + rng.normal(size=p) * 10
    y = rng.normal(size=(n, n_targets)) + x[:, :1] if n_targets else None
    w = rng.integers(0, 3, n).astype(float) if weighted else None
    if weighted:
        w[[0, *cuts[:-1]]] = 1.0  # no part without a row
    spans = list(zip([0, *cuts[:-1]], cuts, strict=True))
    return [
        read_table(
            kind(x[a:b]),
            None if y is None else y[a:b],
            None if w is None else w[a:b],
            owner="test",
        )
        for a, b in spans
    ]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n_targets", [0, 1, 2])
@pytest.mark.parametrize("kind", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("statistic", FINISH)
def test_laws(statistic, kind, n_targets, weighted):
    rng = np.random.default_rng(5)
    tables = parts(rng, [1, 9, 40, 41], kind=kind, n_targets=n_targets, weighted=weighted)
    check_merge_laws(statistic, tables, finish=FINISH[statistic], tolerance=1e-12)


@pytest.mark.parametrize("statistic", FINISH)
def test_laws_with_many_rows_and_columns(statistic):
    rng = np.random.default_rng(6)
    columns = 700 if statistic is Moments else 40
    check_merge_laws(statistic, parts(rng, [150, 160, 400], p=columns), finish=FINISH[statistic])
    check_merge_laws(statistic, parts(rng, [9000, 9001, 18_500]), finish=FINISH[statistic])


@settings(max_examples=40, deadline=None)
@given(
    cuts=st.lists(st.integers(1, 9), min_size=2, max_size=5).map(np.cumsum).map(np.ndarray.tolist),
    seed=st.integers(0, 2**31),
    weighted=st.booleans(),
    n_targets=st.integers(0, 2),
)
@pytest.mark.parametrize("statistic", FINISH)
def test_laws_on_any_parts(statistic, cuts, seed, weighted, n_targets):
    tables = parts(np.random.default_rng(seed), cuts, weighted=weighted, n_targets=n_targets)
    check_merge_laws(statistic, tables, finish=FINISH[statistic], tolerance=1e-11)


def test_residual_squares_add_up():
    tables = parts(np.random.default_rng(7), [5, 9000, 9100], weighted=True)
    model = LinearModel(np.array([[1.0], [-2.0], [0.5]]), np.array([3.0]))
    whole, merged = model.of(stacked(tables)), model.of(tables[0])
    for table in tables[1:]:
        merged = merged.merge(model.of(table))
    all_rows = stacked(tables)
    residual = all_rows.y - all_rows.x @ model.coef - model.intercept
    assert merged.squares == pytest.approx(whole.squares, rel=1e-13)
    assert whole.squares == pytest.approx(all_rows.weights @ residual**2, rel=1e-13)


@pytest.mark.parametrize("statistic", FINISH)
def test_statistics_are_what_the_protocol_says(statistic):
    value = statistic.of(parts(np.random.default_rng(8), [4])[0])
    assert isinstance(value, Statistic)
    assert value.is_finite()
    bad = read_table([[1.0], [np.nan]], check_finite="allow-nan", owner="test")
    assert not statistic.of(bad).is_finite()


# --- statistics that break a law must be found out ----------------------------------------------


@dataclass(frozen=True, eq=False)
class Total:
    """Σx: a lawful statistic to spoil."""

    total: np.ndarray
    subtractable = True

    @classmethod
    def of(cls, table):
        return cls(table.x.sum(axis=0))

    def merge(self, other):
        return type(self)(self.total + other.total)

    def subtract(self, other):
        return type(self)(self.total - other.total)

    def to_arrays(self):
        return {"total": self.total}

    @classmethod
    def from_arrays(cls, arrays):
        return cls(arrays["total"])


class ForgetsTheOther(Total):
    def merge(self, other):
        return self


class DoesNotCommute(Total):
    def merge(self, other):
        return type(self)(self.total + other.total * (1 + 1e-6 * (self.total < other.total)))


class AddsRowsThatAreNotThere(Total):
    @classmethod
    def of(cls, table):
        return cls(table.x.sum(axis=0) + (1.0 if table.n_rows == 0 else 0.0))


class SubtractsTwice(Total):
    def subtract(self, other):
        return type(self)(self.total - 2 * other.total)


class WritesRounded(Total):
    def to_arrays(self):
        return {"total": self.total.astype(np.float32)}

    @classmethod
    def from_arrays(cls, arrays):
        return cls(arrays["total"] * 1.5)


class WorksInPlace(Total):
    def subtract(self, other):
        result = type(self)(self.total - other.total)
        other.total[:] = np.round(other.total, 1)
        return result


class MakesNaN(Total):
    def merge(self, other):
        return type(self)(self.total + other.total + np.nan)


LAWLESS = {
    ForgetsTheOther: "merging the parts",
    DoesNotCommute: "merg",
    AddsRowsThatAreNotThere: "no rows",
    SubtractsTwice: "undo",
    WritesRounded: "way back",
    WorksInPlace: "operand|merging again",
    MakesNaN: "differs by nan",
}


def test_a_lawful_statistic_passes():
    check_merge_laws(Total, parts(np.random.default_rng(9), [3, 8, 12]))


@pytest.mark.parametrize("kind", LAWLESS, ids=lambda kind: kind.__name__)
def test_lawless_statistics_are_found_out(kind):
    with pytest.raises(LawError, match=LAWLESS[kind]):
        check_merge_laws(kind, parts(np.random.default_rng(9), [3, 8, 12]))


def test_the_check_wants_parts():
    with pytest.raises(ValueError, match="at least 2 tables"):
        check_merge_laws(Moments, parts(np.random.default_rng(9), [3]))


def test_stacked_tables_are_all_rows():
    tables = parts(np.random.default_rng(9), [3, 8], weighted=True, kind=sparse.csc_array)
    whole = stacked([tables[0], replace(tables[1], weights=None)])
    assert whole.x.toarray().tolist() == [
        *tables[0].x.toarray().tolist(),
        *tables[1].x.toarray().tolist(),
    ]
    assert whole.weights.tolist() == [*tables[0].weights.tolist(), 1.0, 1.0, 1.0, 1.0, 1.0]
