"""What the core refuses: sizes no memory holds, and arguments that do not fit together."""

from __future__ import annotations

import numpy as np
import pytest

from stylobate import _core

ONE = np.ones(1)


def _columns(count):
    return np.broadcast_to(1.0, (2, count))


@pytest.mark.parametrize("exponent", [31, 33, 40, 58])
def test_absurd_numbers_of_columns(exponent):
    x = _columns(2**exponent)
    for compute in (
        lambda: _core.moments(x, None, None),
        lambda: _core.triangular(x, None, None, False),
        lambda: _core.triangular(x, None, None, True),
    ):
        with pytest.raises(MemoryError, match="more memory than there is"):
            compute()


@pytest.mark.parametrize("cols", [2**31, 2**40, 2**62])
def test_absurd_sparse_widths(cols):
    offsets = np.array([0, 1], dtype=np.int64)
    parts = ONE, np.zeros(1, dtype=np.int64), offsets, cols
    with pytest.raises(MemoryError, match="more memory than there is"):
        _core.moments_csr(*parts, None, None)
    with pytest.raises(MemoryError, match="more memory than there is"):
        _core.triangular_csr(*parts, None, None, False)


def test_another_package_does_not_catch_our_errors(run_program):
    # DuckDB is built with the same binding library, and translates every lack of memory
    pytest.importorskip("duckdb")
    program = """
    import duckdb
    from stylobate import _core
    try:
        _core.uniform(0, 0, 0, 2**60)
    except MemoryError as error:
        print(error)
    """
    assert run_program(program).startswith("The computation needs more memory than there is")


@pytest.mark.parametrize("count", [2**45, 2**60, 2**63])
def test_absurd_counts_of_random_numbers(count):
    with pytest.raises(MemoryError, match="more memory than there is"):
        _core.uniform(0, 0, 0, count)


@pytest.mark.parametrize(
    ("values", "indices", "offsets", "cols", "message"),
    [
        ([1.0], [3], [0, 1], 3, "column index is out of range"),
        ([1.0], [-1], [0, 1], 3, "column index is out of range"),
        ([1.0], [0], [0, 2], 3, "offsets must begin with 0 and end within the entries"),
        ([1.0], [0], [1, 1], 3, "offsets must begin with 0 and end within the entries"),
        ([1.0], [0], [0, 1, 0, 1], 3, "offsets must not decrease"),
        ([1.0, 2.0], [0], [0, 1], 3, "values and indices differ in length"),
        ([], [], [0], -1, "number of columns must not be negative"),
        ([], [], [], 3, "offsets must have one entry more"),
    ],
)
@pytest.mark.parametrize("integer", [np.int32, np.int64])
def test_broken_sparse_structures(values, indices, offsets, cols, message, integer):
    parts = np.array(values, float), np.array(indices, integer), np.array(offsets, integer), cols
    with pytest.raises(ValueError, match=message):
        _core.moments_csr(*parts, None, None)


def test_parts_that_do_not_fit_together():
    x = np.ones((3, 2))
    with pytest.raises(ValueError, match="x and y differ in rows"):
        _core.moments(x, np.ones((2, 1)), None)
    with pytest.raises(ValueError, match="x and weights differ in rows"):
        _core.triangular(x, None, np.ones(4), False)
    with pytest.raises(ValueError, match="one entry per column"):
        _core.row_quadratics(x, np.zeros(3), np.asfortranarray(np.eye(2)))
    with pytest.raises(ValueError, match="both parts of a factor"):
        _core.solve_triangular(np.ones((2, 3)), np.ones((2, 3)), 1)
    with pytest.raises(ValueError, match="two factors differ in size"):
        _core.merge_triangular(*[np.eye(2)] * 2, *[np.eye(3)] * 2, False)
    for k in (-1, 4):
        with pytest.raises(ValueError, match="more coefficients than columns"):
            _core.solve_triangular(np.eye(3), np.zeros((3, 3)), k)
    with pytest.raises(ValueError, match="linearly dependent"):
        _core.solve_triangular(np.diag([1.0, 0.0]), np.zeros((2, 2)), 2)


def test_blas_must_be_installed_before_it_is_used(run_program):
    program = """
    import numpy as np
    from stylobate import _core
    try:
        _core.row_quadratics(np.ones((3, 600)), np.zeros(600), np.eye(600, order="F"))
    except ValueError as error:
        print(error)
    """
    assert run_program(program) == "BLAS functions have not been installed"


@pytest.mark.parametrize("shape", [(0, 3), (4, 0), (0, 0)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_empty_arrays_have_empty_answers(shape, dtype):
    x = np.empty(shape, dtype)
    n, weight, mean, scatter = _core.moments(x, None, None)
    assert n == weight == shape[0]
    assert mean.tolist() == [0.0] * shape[1]
    assert scatter.tolist() == np.zeros((shape[1], shape[1])).tolist()
    r, low = _core.triangular(x, None, None, False)
    assert r.shape == low.shape == (shape[1] + 1, shape[1] + 1)
    assert r[0, 0] ** 2 == pytest.approx(shape[0])
    assert _core.first_nonfinite(x) is None
    # NumPy answers Σ over no columns with 0 as well
    h = _core.row_quadratics(x[:, :0], np.zeros(0), np.zeros((0, 0), order="F"))
    assert h.tolist() == [0.0] * shape[0]
