"""NumPy arrays of every dtype, order and stride; lists; DLPack; objects with ``__array__``."""

from __future__ import annotations

import array
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_array_equal

from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, UnsupportedDataError

SHAPES = hnp.array_shapes(min_dims=2, max_dims=2, min_side=1, max_side=12)
NUMERIC = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?", sizes=(16, 32, 64)),
)


def bounded(dtype: np.dtype) -> st.SearchStrategy:
    """Finite values of a dtype."""
    if dtype.kind == "f":
        return hnp.from_dtype(dtype, allow_nan=False, allow_infinity=False)
    return hnp.from_dtype(dtype)


@st.composite
def finite_arrays(draw):
    dtype = draw(NUMERIC)
    base = draw(hnp.arrays(dtype, SHAPES, elements=bounded(dtype)))
    steps = draw(st.tuples(*[st.sampled_from([1, 2, -1, -3])] * 2))
    if draw(st.booleans()):
        base = np.asfortranarray(base)
    strided = base[:: steps[0], :: steps[1]]
    return strided.T if draw(st.booleans()) else strided


@given(finite_arrays())
@settings(max_examples=150, deadline=None)
def test_values_survive_any_dtype_order_and_stride(x):
    got = read_table(x, owner="Ridge").x
    assert_array_equal(got, x.astype(np.float64), strict=False)
    assert got.dtype in (np.float32, np.float64)
    assert got.dtype.isnative
    assert got.flags.aligned
    is_single = x.dtype.kind == "f" and x.dtype.itemsize == 4
    assert got.dtype == (np.float32 if is_single else np.float64)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "view",
    [
        lambda a: a,
        np.asfortranarray,
        lambda a: a.T,
        lambda a: a[::2],
        lambda a: a[::-1, ::-2],
        lambda a: a[:, 1:3],
        lambda a: np.broadcast_to(a[0], (5, a.shape[1])),
    ],
    ids=["C", "F", "transposed", "strided", "reversed", "columns", "broadcast"],
)
def test_usable_floats_are_not_copied(dtype, view):
    x = view(np.arange(24, dtype=dtype).reshape(6, 4))
    x.flags.writeable = False
    got = read_table(x, owner="Ridge").x
    assert got is x


@given(finite_arrays())
@settings(max_examples=60, deadline=None)
def test_the_caller_s_array_is_never_changed(x):
    before = x.tobytes()
    read_table(x, np.arange(float(len(x))), owner="Ridge")  # targets may be refused as too large
    assert x.tobytes() == before


def test_memory_map_shares_its_pages(tmp_path):
    path = tmp_path / "x.npy"
    np.save(path, np.arange(12.0).reshape(4, 3))
    x = np.load(path, mmap_mode="r")
    got = read_table(x, owner="Ridge").x
    assert type(got) is np.ndarray
    assert np.shares_memory(got, x)


def test_unaligned_and_foreign_byte_order_are_repaired():
    packed = np.zeros(3, dtype=[("flag", "i1"), ("x", "f8", (2,))])
    packed["x"] = [[1, 2], [3, 4], [5, 6]]
    assert not packed["x"].flags.aligned
    got = read_table(packed["x"], owner="Ridge").x
    assert got.flags.aligned
    assert_array_equal(got, [[1, 2], [3, 4], [5, 6]])
    swapped = np.array([[1.5, -2.0]], dtype=">f4")
    got = read_table(swapped, owner="Ridge").x
    assert got.dtype == np.dtype("=f4")
    assert_array_equal(got, [[1.5, -2.0]])


def test_objects_that_are_numbers():
    x = np.array(
        [[1, Decimal("2.5")], [Fraction(1, 4), np.float32(3)], [True, 2**70]], dtype=object
    )
    got = read_table(x, owner="Ridge").x
    assert_array_equal(got, [[1, 2.5], [0.25, 3], [1, float(2**70)]])


def test_none_and_pandas_na_count_as_missing():
    pd = pytest.importorskip("pandas")
    x = np.array([[1, None], [pd.NA, 4]], dtype=object)
    got = read_table(x, owner="Ridge", check_finite="allow-nan").x
    assert_array_equal(got, [[1, np.nan], [np.nan, 4]])
    assert x[1, 0] is pd.NA
    with pytest.raises(InvalidDataError, match="NaN at row 0, column 1"):
        read_table(x, owner="Ridge")


def test_masked_cells_are_missing_not_read():
    x = np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])
    with pytest.raises(InvalidDataError, match="NaN at row 0, column 1"):
        read_table(x, owner="Ridge")
    plain = np.ma.array([[1.0, 2.0]])
    assert np.shares_memory(read_table(plain, owner="Ridge").x, plain.data)


@pytest.mark.parametrize("kind", [list, tuple])
def test_nested_sequences(kind):
    rows = kind(kind(row) for row in [[1, 2.5], [3, 4]])
    table = read_table(rows, kind([1, 2]), kind([1, 1]), owner="Ridge")
    assert_array_equal(table.x, [[1, 2.5], [3, 4]])
    assert_array_equal(table.y, [[1], [2]])


def test_ragged_list_names_the_row():
    with pytest.raises(InvalidDataError, match="row 0 has 2 values, row 2 has 1 values"):
        read_table([[1, 2], [3, 4], [5]], owner="Ridge")


class OnlyArray:
    """An object with nothing but ``__array__``."""

    def __init__(self, data):
        self.data = np.asarray(data)

    def __array__(self, dtype=None, copy=None):
        return self.data


class OnlyDlpack:
    """An array of another library as seen through DLPack; its memory is a NumPy array's."""

    def __init__(self, data, device=None):
        self.data, self.device = data, device

    def __dlpack__(self, **options):
        return self.data.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.data.__dlpack_device__()


def test_objects_with_array_interface():
    x = np.arange(6.0).reshape(3, 2)
    table = read_table(OnlyArray(x), OnlyArray([1, 2, 3]), OnlyArray([1, 2, 3]), owner="Ridge")
    assert np.shares_memory(table.x, x)
    assert_array_equal(table.weights, [1, 2, 3])


def test_buffers_are_read():
    x = np.arange(6.0).reshape(3, 2)
    assert np.shares_memory(read_table(memoryview(x), owner="Ridge").x, x)
    table = read_table(x, array.array("d", [1, 2, 3]), owner="Ridge")
    assert_array_equal(table.y, [[1], [2], [3]])


def test_dlpack_shares_memory():
    x = np.asfortranarray(np.arange(6.0).reshape(3, 2))
    table = read_table(OnlyDlpack(x), OnlyDlpack(np.array([1, 2, 3])), owner="Ridge")
    assert np.shares_memory(table.x, x)
    assert_array_equal(table.x, x)
    assert_array_equal(table.y, [[1], [2], [3]])


def test_arrays_on_a_device_are_refused_with_the_way_out():
    x = OnlyDlpack(np.ones((2, 2)), device=(2, 0))
    with pytest.raises(UnsupportedDataError, match=r"X is a .*OnlyDlpack on a CUDA device.*cpu"):
        read_table(x, owner="Ridge")


def test_torch_tensors():
    torch = pytest.importorskip("torch")
    x = torch.arange(6, dtype=torch.float32).reshape(3, 2)
    table = read_table(x, torch.arange(3), owner="Ridge")
    assert np.shares_memory(table.x, x.numpy())
    assert_array_equal(table.y, [[0], [1], [2]])
    half = x.to(torch.bfloat16)
    with pytest.raises(UnsupportedDataError, match="float32"):
        read_table(half, owner="Ridge")
    if torch.cuda.is_available():
        with pytest.raises(UnsupportedDataError, match="CUDA"):
            read_table(x.cuda(), owner="Ridge")


@given(hnp.arrays(np.float64, SHAPES, elements=st.floats(-1e6, 1e6)), st.data())
@settings(max_examples=80, deadline=None)
def test_take_matches_numpy_indexing(x, data):
    n = len(x)
    table = read_table(x, x[:, :1], np.arange(1.0, n + 1), owner="Ridge")
    rows = np.array(data.draw(st.lists(st.integers(0, n - 1), max_size=n)), dtype=np.int64)
    part = table.take(rows)
    assert_array_equal(part.x, x[rows])
    assert_array_equal(part.y, x[rows, :1])
    assert_array_equal(part.weights, np.arange(1.0, n + 1)[rows])
    assert part.finite == table.finite


def test_take_of_a_slice_is_a_view():
    x = np.arange(20.0).reshape(10, 2)
    table = read_table(x, x[:, 0].copy(), owner="Ridge")
    part = table.take(slice(2, 6))
    assert np.shares_memory(part.x, x)
    assert np.shares_memory(part.y, table.y)
    assert part.take(slice(None, None, 2)).y.flags.c_contiguous
    assert_array_equal(part.take(slice(None, None, 2)).y, x[2:6:2, :1])
