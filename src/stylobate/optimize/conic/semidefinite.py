"""Semidefinite programs in standard form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize.conic.cones import ConicAnswer, solve_conic
from stylobate.optimize.conic.data import vector
from stylobate.optimize.conic.solution import ProgramSolution, Residuals

_EPS = float(np.finfo(np.float64).eps)
_MOST_ENTRIES = 5_000_000  # of the constraints, up to which a combination is looked for


def semidefinite_program(
    C: Any,
    A: Any = (),
    b: Any = (),
    *,
    G: Any = (),
    h: Any = (),
    ridge: float = 0.0,
    tol: float = 1e-9,
) -> ProgramSolution:
    r"""Minimise a linear function of one or more positive semidefinite matrices.

    .. math::
        \min \sum_j \operatorname{tr}(C_j X_j) + \tfrac{\rho}{2} \sum_j \|X_j\|_F^2, \quad
        \sum_j \operatorname{tr}(A_{ij} X_j) = b_i, \quad
        \sum_j \operatorname{tr}(G_{ij} X_j) \le h_i, \quad X_j \succeq 0

    Parameters
    ----------
    C : array (k, k), or list of such (several blocks)
        Symmetric. With several blocks a vector stands for a diagonal one: its X is a vector of
        numbers that are not negative.
    A : sequence of m arrays (k, k)
        Symmetric; with several blocks each is a list with a matrix (or vector, or None for zeros)
        for each block.
    b : array (m,)
    G, h : as A and b
        Inequalities.
    ridge : float in [0, inf), default=0.0
        ρ: with :math:`C = -M` and ρ = 1 the X nearest to M is asked for.
    tol : float in (0, inf), default=1e-9
        Relative accuracy asked of the solver.

    Returns
    -------
    ProgramSolution
        `x` is the matrix X (of several blocks, the list of them); ``duals["A"]`` the multipliers y
        and ``duals["G"]`` those of the inequalities, z ≥ 0; ``duals["X"]`` the matrix
        :math:`C + \rho X - \sum y_i A_i + \sum z_i G_i \succeq 0`. `dual_value` follows from y
        and z alone: where a combination of the constraints is the identity (a trace, a diagonal)
        or ρ > 0 it is moved to where that matrix has no negative eigenvalue, and then no X has a
        smaller value, whatever the solver's accuracy.

    Examples
    --------
    >>> C = np.array([[2.0, 1.0], [1.0, 2.0]])
    >>> found = semidefinite_program(C, [np.eye(2)], [1.0])  # the smallest eigenvalue of C
    >>> round(found.value, 6)
    1.0
    >>> M = np.array([[1.0, 0.9, -0.9], [0.9, 1.0, 0.9], [-0.9, 0.9, 1.0]])  # no correlations
    >>> ones = [np.diag(row) for row in np.eye(3)]
    >>> semidefinite_program(-M, ones, [1.0, 1.0, 1.0], ridge=1.0).x.round(3)
    array([[ 1. ,  0.5, -0.5],
           [ 0.5,  1. ,  0.5],
           [-0.5,  0.5,  1. ]])

    References
    ----------
    Vandenberghe & Boyd (1996), Semidefinite programming, SIAM Review 38; Jansson, Chaykin & Keil
    (2007), Rigorous error bounds for the optimal value in semidefinite programming, SIAM Journal
    on Numerical Analysis 46; Higham (2002), Computing the nearest correlation matrix.
    """
    owner = "semidefinite_program"
    if not (np.isfinite(ridge) and ridge >= 0.0):
        raise InvalidParameterError(f"{owner}: ridge must be a number of at least 0, got {ridge}.")
    blocks, cost = Blocks.of(owner, C)
    equal = blocks.rows(owner, "A", A)
    above = blocks.rows(owner, "G", G)
    problem = _Problem(
        blocks, cost, equal, vector(owner, "b", b, len(equal)),
        above, vector(owner, "h", h, len(above)), float(ridge),
    )  # fmt: skip
    return problem.solution(tol)


@dataclass(frozen=True)
class _Problem:
    """The program over packed blocks."""

    blocks: Blocks
    cost: Array
    equal: Array
    right: Array
    above: Array
    bounds: Array
    ridge: float

    def solution(self, tol: float) -> ProgramSolution:
        """The solver's answer with what its multipliers prove."""
        answer = self._solve(tol)
        m, p = len(self.right), len(self.bounds)
        y, z = -answer.z[:m], np.maximum(answer.z[m : m + p], 0.0)
        common: dict[str, Any] = {
            "solver": "Clarabel",
            "iterations": answer.iterations,
            "seconds": answer.seconds,
        }
        if answer.status == "infeasible":
            ray = {"A": y, "G": z, "X": self.blocks.unpacked(answer.z[m + p :])}
            return ProgramSolution("infeasible", None, np.inf, np.inf, {}, None, ray=ray, **common)
        x = self.blocks.unpacked(answer.x)
        if answer.status == "unbounded":
            return ProgramSolution(
                "unbounded", None, -np.inf, -np.inf, {}, None, ray={"x": x}, **common
            )
        value = float(self.cost @ answer.x + 0.5 * self.ridge * answer.x @ answer.x)
        slack = self._slack(y, z) + self.ridge * answer.x
        y, dual = self._bound(y, z)
        residuals = self._residuals(answer.x, slack, z, value, dual)
        duals = {"A": y, "G": z, "X": self.blocks.unpacked(slack)}
        return ProgramSolution(answer.status, x, value, dual, duals, residuals, ray=None, **common)

    def _solve(self, tol: float) -> ConicAnswer:
        import clarabel
        from scipy import sparse

        n = len(self.cost)
        below = sparse.csc_matrix((np.full(n, -1.0), np.arange(n), np.arange(n + 1)), shape=(n, n))
        parts = [sparse.csc_matrix(each) for each in (self.equal, self.above) if len(each)]
        whole = sparse.vstack([*parts, below], format="csc")
        cones = [clarabel.ZeroConeT(len(self.right))] if len(self.right) else []
        cones += [clarabel.NonnegativeConeT(len(self.bounds))] if len(self.bounds) else []
        for size, diagonal in zip(self.blocks.sizes, self.blocks.diagonal, strict=True):
            kind = clarabel.NonnegativeConeT if diagonal else clarabel.PSDTriangleConeT
            cones.append(kind(size))
        square = sparse.csc_matrix(sparse.diags_array(np.full(n, self.ridge), format="csc"))
        empty = sparse.csc_matrix((n, n))
        right = np.concatenate([self.right, self.bounds, np.zeros(n)])
        return solve_conic(square if self.ridge else empty, self.cost, whole, right, cones, tol)

    def _slack(self, y: Array, z: Array) -> Array:
        return np.asarray(self.cost - self.equal.T @ y + self.above.T @ z)

    def _bound(self, y: Array, z: Array) -> tuple[Array, float]:
        """Multipliers and the lower bound that they prove."""
        slack = self._slack(y, z)
        if self.ridge:
            negative = self.blocks.negative_square(slack)
            return y, float(self.right @ y - self.bounds @ z - 0.5 * negative / self.ridge)
        lowest = self.blocks.lowest(slack)
        towards = self._towards_identity() if lowest < 0.0 else None
        if towards is not None:
            step = -lowest * (1.0 + 1e-12) + 8.0 * _EPS * float(np.abs(slack).max())
            y = y - step * towards
        return y, float(self.right @ y - self.bounds @ z)

    def _towards_identity(self) -> Array | None:
        """The combination of equations that is the identity; None if there is none at hand."""
        if not len(self.equal) or self.equal.size > _MOST_ENTRIES:
            return None
        identity = self.blocks.identity
        found = np.asarray(np.linalg.lstsq(self.equal.T, identity, rcond=None)[0], dtype=np.float64)
        off = np.abs(self.equal.T @ found - identity).max()
        return found if off <= 1e-12 else None

    def _residuals(self, x: Array, slack: Array, z: Array, value: float, dual: float) -> Residuals:
        blocks, size = self.blocks, 1.0 + float(np.abs(x).max())
        equal = np.abs(self.equal @ x - self.right).max(initial=0.0)
        room = self.bounds - self.above @ x
        above = np.maximum(-room, 0.0).max(initial=0.0)
        violated = max(
            float(equal) / (1.0 + np.abs(self.right).max(initial=0.0)),
            float(above) / (1.0 + np.abs(self.bounds).max(initial=0.0)),
            -blocks.lowest(x) / size,
        )
        bound = -blocks.lowest(slack) / (1.0 + float(np.abs(self.cost).max()))
        products = max(abs(float(x @ slack)), float(np.abs(room * z).max(initial=0.0)))
        return Residuals(
            max(violated, 0.0),
            max(bound, 0.0),
            products / (1.0 + abs(value)),
            abs(value - dual) / (1.0 + abs(value)),
        )


@dataclass(frozen=True)
class Blocks:
    """Matrices side by side, packed into one vector that keeps inner products.

    Parameters
    ----------
    sizes : tuple of int
    diagonal : tuple of bool
        Which blocks are vectors.
    single : bool
        Whether there is one matrix, given and answered without a list.
    """

    sizes: tuple[int, ...]
    diagonal: tuple[bool, ...]
    single: bool

    @classmethod
    def of(cls, owner: str, given: Any) -> tuple[Blocks, Array]:
        """The blocks of a cost, and it packed."""
        if not _has_blocks(given):
            cost = _symmetric(owner, "C", given)
            return cls((len(cost),), (False,), True), _packed(cost)
        parts = [np.asarray(each, dtype=np.float64) for each in given]
        sizes = tuple(len(each) for each in parts)
        blocks = cls(sizes, tuple(each.ndim == 1 for each in parts), False)
        return blocks, blocks.packed(owner, "C", parts)

    @property
    def slices(self) -> list[slice]:
        """Where each block is in the packed vector."""
        lengths = [
            k if flat else k * (k + 1) // 2
            for k, flat in zip(self.sizes, self.diagonal, strict=True)
        ]
        ends = np.cumsum([0, *lengths])
        return [slice(int(a), int(b)) for a, b in pairwise(ends)]

    @property
    def identity(self) -> Array:
        """The identity of all blocks, packed."""
        parts = [
            np.ones(k) if flat else _packed(np.eye(k))
            for k, flat in zip(self.sizes, self.diagonal, strict=True)
        ]
        return np.concatenate(parts)

    def packed(self, owner: str, name: str, given: Any) -> Array:
        """A list of blocks as a vector; None is a block of zeros."""
        if not isinstance(given, list | tuple) or len(given) != len(self.sizes):
            raise InvalidDataError(
                f"{owner}: {name} must be a list of {len(self.sizes)} blocks, as C is; None stands "
                "for a block of zeros."
            )
        parts = []
        for j, (each, k, flat) in enumerate(zip(given, self.sizes, self.diagonal, strict=True)):
            own = f"{name}[{j}]"
            if each is None:
                parts.append(np.zeros(k if flat else k * (k + 1) // 2))
            elif flat:
                parts.append(vector(owner, own, each, k))
            else:
                parts.append(_packed(_symmetric(owner, own, each, k)))
        return np.concatenate(parts)

    def rows(self, owner: str, name: str, given: Any) -> Array:
        """Constraints as rows of packed blocks."""
        listed = list(given)
        if self.single:
            return _packed(_stacked(owner, listed, self.sizes[0], name))
        found = [self.packed(owner, f"{name}[{i}]", each) for i, each in enumerate(listed)]
        return np.array(found).reshape(len(found), self.slices[-1].stop)

    def unpacked(self, x: Array) -> Any:
        """The matrices of a packed vector: one, or a list."""
        parts = list(self._parts(x))
        return parts[0] if self.single else parts

    def lowest(self, x: Array) -> float:
        """The smallest eigenvalue of all blocks."""
        return min(float(each[0]) for each in self._eigenvalues(x))

    def negative_square(self, x: Array) -> float:
        """The sum of squares of the negative eigenvalues."""
        return float(sum(np.square(np.minimum(each, 0.0)).sum() for each in self._eigenvalues(x)))

    def _parts(self, x: Array) -> Iterator[Array]:
        for where, k, flat in zip(self.slices, self.sizes, self.diagonal, strict=True):
            yield x[where].copy() if flat else _unpacked(x[where], k)

    def _eigenvalues(self, x: Array) -> Iterator[Array]:
        for part in self._parts(x):
            found = np.sort(part) if part.ndim == 1 else np.linalg.eigvalsh(part)
            yield np.asarray(found, dtype=np.float64)


def _has_blocks(given: Any) -> bool:
    """Whether these are several matrices (or vectors) rather than one."""
    if not isinstance(given, list | tuple) or not len(given):
        return False
    dimensions = [np.ndim(each) for each in given]
    return any(each == 2 for each in dimensions)


def _stacked(owner: str, given: list[Any], k: int, name: str = "A") -> Array:
    """All constraints as one array (m, k, k); judged together, and one by one only to name it."""
    shapes = {np.shape(each) for each in given}
    if shapes == {(k, k)}:
        whole = np.array(given, dtype=np.float64)
        turned = whole.transpose(0, 2, 1)
        if np.isfinite(whole).all() and np.array_equal(whole, turned):
            return whole
    each_one = [_symmetric(owner, f"{name}[{i}]", each, k) for i, each in enumerate(given)]
    return np.array(each_one).reshape(len(given), k, k)


def _symmetric(owner: str, name: str, given: Any, k: int | None = None) -> Array:
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (k and len(matrix) != k):
        wanted = "square" if k is None else f"({k}, {k})"
        raise InvalidDataError(f"{owner}: {name} has shape {matrix.shape}; it must be {wanted}.")
    if not np.isfinite(matrix).all():
        raise InvalidDataError(f"{owner}: {name} must be finite; it holds NaN or infinity.")
    if np.abs(matrix - matrix.T).max(initial=0.0) > 1e-10 * np.abs(matrix).max(initial=0.0):
        raise InvalidDataError(f"{owner}: {name} must be symmetric; pass (C + Cᵀ)/2.")
    return 0.5 * (matrix + matrix.T)


def _packed(matrix: Array) -> Array:
    """The upper triangle, column by column, off-diagonal entries times √2: keeps inner products."""
    columns, rows = np.tril_indices(matrix.shape[-1])  # column-major upper triangle
    return np.asarray(matrix[..., rows, columns] * np.where(rows == columns, 1.0, np.sqrt(2.0)))


def _unpacked(packed: Array, k: int) -> Array:
    columns, rows = np.tril_indices(k)
    matrix = np.zeros((k, k))
    entries = packed / np.where(rows == columns, 1.0, np.sqrt(2.0))
    matrix[rows, columns] = entries
    matrix[columns, rows] = entries
    return matrix
