"""Sparse input of every format: same values, canonical, no copies where none are needed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from scipy import sparse

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

FORMATS = ["csr", "csc", "coo", "bsr", "lil", "dok", "dia"]
ENTRY = st.tuples(st.integers(0, 5), st.integers(0, 3), st.integers(-9, 9))


def dense_of(entries, shape=(6, 4)):
    out = np.zeros(shape)
    for row, column, value in entries:
        out[row, column] += value
    return out


@given(
    st.lists(ENTRY, max_size=30),
    st.sampled_from(FORMATS),
    st.sampled_from(["f4", "f8", "i4", "i1", "u2"]),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_every_format_keeps_its_values(entries, form, dtype, as_matrix):
    rows, columns, values = np.array(entries, dtype=int).reshape(-1, 3).T
    values = np.abs(values) if dtype == "u2" else values
    entries = list(zip(rows, columns, values, strict=True))
    make = sparse.coo_matrix if as_matrix else sparse.coo_array
    x = make((values.astype(dtype), (rows, columns)), shape=(6, 4)).asformat(form)
    got = read_table(x, owner="Ridge").x
    assert_array_equal(got.toarray(), x.toarray().astype(float))
    if dtype != "i1":  # sums of bytes may wrap in SciPy itself
        assert_array_equal(got.toarray(), dense_of(entries))
    assert isinstance(got, sparse.csc_array if form == "csc" else sparse.csr_array)
    assert got.dtype == (np.float32 if dtype == "f4" else np.float64)
    assert got.indices.dtype in (np.int32, np.int64)
    assert got.indices.dtype == got.indptr.dtype


@given(st.lists(ENTRY, max_size=30), st.sampled_from(["csr", "csc"]), st.booleans())
@settings(max_examples=100, deadline=None)
def test_unsorted_and_repeated_entries_become_canonical(entries, form, wide):
    """Indices written in arrival order: duplicates, no sorting, explicit zeros."""
    major = 0 if form == "csr" else 1
    entries = sorted(entries, key=lambda entry: entry[major])  # stable: minor order is arbitrary
    index = np.int64 if wide else np.int32
    data = np.array([e[2] for e in entries], dtype=float)
    minor = np.array([e[1 - major] for e in entries], dtype=index)
    counts = np.bincount([e[major] for e in entries], minlength=(6, 4)[major])
    pointers = np.concatenate([[0], np.cumsum(counts)]).astype(index)
    kind = sparse.csr_matrix if form == "csr" else sparse.csc_matrix
    x = kind((data, minor, pointers), shape=(6, 4))
    before = x.data.copy(), x.indices.copy(), x.indptr.copy()
    got = read_table(x, owner="Ridge").x
    assert got.format == form
    for i in range(got.shape[major]):
        stored = got.indices[got.indptr[i] : got.indptr[i + 1]]
        assert (np.diff(stored) > 0).all()
    assert_array_equal(got.toarray(), dense_of(entries))
    for array, old in zip((x.data, x.indices, x.indptr), before, strict=True):
        assert_array_equal(array, old)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "kind", [sparse.csr_array, sparse.csr_matrix, sparse.csc_array, sparse.csc_matrix]
)
def test_canonical_data_are_shared(kind, dtype):
    x = kind(np.eye(4, dtype=dtype))
    got = read_table(x, owner="Ridge").x
    assert np.shares_memory(got.data, x.data)
    assert np.shares_memory(got.indices, x.indices)


def test_false_claims_of_order_are_not_believed():
    x = sparse.csr_array(([1.0, 2.0], [2, 0], [0, 2]), shape=(1, 3))
    x.has_sorted_indices = True
    x.has_canonical_format = True
    got = read_table(x, owner="Ridge").x
    assert_array_equal(got.indices, [0, 2])


def test_strided_and_read_only_parts_become_contiguous():
    x = sparse.csr_array(np.eye(3))
    x.data = np.arange(6.0)[::2]
    x.indices = np.repeat(x.indices, 2)[::2]
    x.data.flags.writeable = False
    got = read_table(x, owner="Ridge").x
    assert_array_equal(got.toarray(), np.diag([0.0, 2.0, 4.0]))
    for part in (got.data, got.indices, got.indptr):
        assert part.flags.c_contiguous


def test_explicit_zeros_stay():
    x = sparse.csr_array(([0.0, 2.0], [0, 1], [0, 2]), shape=(1, 2))
    assert read_table(x, owner="Ridge").x.nnz == 2


@pytest.mark.parametrize("spoil", ["outside", "negative", "pointer", "short"])
def test_damaged_structure_is_refused(spoil):
    x = sparse.csr_array(np.ones((3, 3)))
    if spoil == "outside":
        x.indices[4] = 99
    elif spoil == "negative":
        x.indices[4] = -1
    elif spoil == "pointer":
        x.indptr[1] = 7
    else:
        x.data = x.data[:5]
    with pytest.raises(InvalidDataError, match="damaged csr array"):
        read_table(x, owner="Ridge")


def test_sparse_is_refused_where_not_taken():
    x = sparse.csr_array(np.eye(2))
    with pytest.raises(UnsupportedDataError, match=r"Sparse data was passed for X.*toarray"):
        read_table(x, owner="KMeans", accept_sparse=False)
    with pytest.raises(UnsupportedDataError, match="Sparse data was passed for y"):
        read_table(np.eye(2), x, owner="Ridge")
    with pytest.raises(UnsupportedDataError, match="Sparse data was passed for sample_weight"):
        read_table(np.eye(2), None, x, owner="Ridge")


def test_complex_and_one_dimensional_sparse_are_refused():
    with pytest.raises(UnsupportedDataError, match="Complex data not supported"):
        read_table(sparse.csr_array(np.eye(2) * 1j), owner="Ridge")
    with pytest.raises(InvalidDataError, match="Reshape your data"):
        read_table(sparse.coo_array(np.ones(3)), owner="Ridge")


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_take_of_sparse_rows(form):
    dense = np.random.default_rng(0).integers(0, 2, size=(7, 3)).astype(float)
    table = read_table(sparse.csr_array(dense).asformat(form), owner="Ridge")
    rows = np.array([5, 0, 0, 3])
    assert_array_equal(table.take(rows).x.toarray(), dense[rows])
    assert_array_equal(table.take(slice(2, 6)).x.toarray(), dense[2:6])
    part = table.take(rows).x
    assert part.format == form
    for i in range(len(part.indptr) - 1):
        assert (np.diff(part.indices[part.indptr[i] : part.indptr[i + 1]]) > 0).all()


def test_empty_matrix_without_entries():
    table = read_table(sparse.csr_array((3, 2)), owner="Ridge")
    assert table.finite
    assert table.is_sparse
    assert table.n_features == 2
