"""Polynomial features."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, combinations_with_replacement
from math import comb, inf
from numbers import Integral
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Numbers, Options, Tags, TransformerMixin
from stylobate.base.batches import FitsFirstBatch
from stylobate.base.validation import input_names
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    NumericalError,
)

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_CHUNK = 1 << 11  # rows at a time: the columns made so far stay in cache
_MOST_COLUMNS = 10**8  # more would not fit in memory for any number of rows


class PolynomialFeatures(TransformerMixin, FitsFirstBatch):
    r"""All products of powers of the columns, up to a degree.

    .. math:: x \mapsto \Big( x_1^{a_1} \cdots x_p^{a_p} \Big)_{a_1 + \dots + a_p \le d}

    Each product is one earlier product times one column, so a new column costs one multiplication
    per row.

    Parameters
    ----------
    degree : int in [0, inf) or pair of ints (smallest, largest), default=2
        The largest degree, or the smallest and the largest.
    interaction_only : bool, default=False
        Whether to leave out powers, that is, products that use a column twice.
    include_bias : bool, default=True
        Whether to give the column of ones.
    order : {"C", "F"}, default="C"
        Memory layout of a dense result.

    Attributes
    ----------
    powers_ : array of shape (n_output_features_, n_features_in_)
        The exponent of each input in each output.
    n_output_features_ : int
        Number of columns made.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> expansion = PolynomialFeatures(degree=2)
    >>> expansion.fit_transform(np.array([[2.0, 3.0]]))
    array([[1., 2., 3., 4., 6., 9.]])
    >>> list(expansion.get_feature_names_out())
    ['1', 'x0', 'x1', 'x0^2', 'x0 x1', 'x1^2']
    """

    def __init__(
        self,
        degree: Annotated[int, Interval(0, inf)] | Annotated[Any, Numbers(0, inf)] = 2,
        *,
        interaction_only: bool = False,
        include_bias: bool = True,
        order: Annotated[str, Options("C", "F")] = "C",
    ) -> None:
        self.degree = degree
        self.interaction_only = interaction_only
        self.include_bias = include_bias
        self.order = order

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True, preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn the number of columns.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : ignored
            For compatibility.

        Returns
        -------
        self
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        low, high = self._degrees()
        count = self._count(table.n_features, low, high)
        if count > _MOST_COLUMNS:
            raise InvalidDataError(
                f"PolynomialFeatures: degree {high} of {table.n_features} columns gives "
                f"{float(count):.3g} columns; choose a lower degree, interaction_only=True, or "
                "fewer columns."
            )
        if count == 0 and high == 0:
            raise InvalidParameterError(
                "PolynomialFeatures: degree=0 without include_bias gives no column at all; raise "
                "the degree or set include_bias=True."
            )
        self.n_output_features_ = count
        return self

    def _degrees(self) -> tuple[int, int]:
        """The smallest and the largest degree asked for."""
        given: Any = self.degree
        if isinstance(given, Integral):
            return 0, int(given)
        pair = list(given)
        if len(pair) != 2 or not all(isinstance(each, Integral) for each in pair):
            raise InvalidParameterError(
                "PolynomialFeatures: degree must be an int or a pair of ints "
                f"(smallest, largest), got {given!r}."
            )
        low, high = map(int, pair)
        if low > high:
            raise InvalidParameterError(
                f"PolynomialFeatures: the smallest degree {low} exceeds the largest, {high}."
            )
        return low, high

    def _count(self, p: int, low: int, high: int) -> int:
        """How many products there are."""
        if self.interaction_only:
            total = sum(comb(p, d) for d in range(max(low, 1), min(high, p) + 1))
        else:
            total = comb(p + high, p) - comb(p + max(low, 1) - 1, p)  # of all degrees up to each
        return total + self.include_bias

    def _products(self, p: int) -> Iterator[tuple[int, ...]]:
        """The columns multiplied in each output, without the column of ones."""
        low, high = self._degrees()
        choose = combinations if self.interaction_only else combinations_with_replacement
        return chain.from_iterable(choose(range(p), d) for d in range(max(low, 1), high + 1))

    @property
    def powers_(self) -> NDArray[np.int64]:
        self._check_fitted()
        powers = np.zeros((self.n_output_features_, self.n_features_in_), dtype=np.int64)
        for row, product in enumerate(self._products(self.n_features_in_), int(self.include_bias)):
            np.add.at(powers[row], list(product), 1)
        return powers

    def _check_loaded(self) -> None:
        """Refuse a degree that does not give the columns a file says."""
        count, features = vars(self).get("n_output_features_"), vars(self).get("n_features_in_")
        if features is None or "n_output_features_" not in vars(self):
            return
        whole = isinstance(count, int | np.integer) and not isinstance(count, bool)
        low, high = self._degrees()
        much = high > 2000 or (high > 3 and features > 1000)  # than could be fitted
        if not whole or much or self._count(int(features), low, high) != count:
            raise ModelFileError(
                f"The PolynomialFeatures of the file claims {str(count)[:50]} columns, which "
                f"degree={str(self.degree)[:50]} does not give."
            )

    def transform(self, X: Any) -> Any:
        """The products of the columns of X.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array, sparse array or frame of shape (n, n_output_features_)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        if table.is_sparse:
            none = self.n_output_features_ == 0  # degrees that no product of these columns has
            return self._wrap(table.x[:, :0] if none else self._sparse(table.x), table)
        x = np.asarray(table.x)
        layout: Any = self.order
        out = np.empty((len(x), self.n_output_features_), dtype=x.dtype, order=layout)
        plan = list(self._plan(x.shape[1]))
        try:
            with np.errstate(over="raise"):
                for start in range(0, len(x), _CHUNK):
                    rows = slice(start, start + _CHUNK)
                    self._expand(np.ascontiguousarray(x[rows].T), plan, out[rows])
        except FloatingPointError:
            self._refuse_overflow(x.dtype)
        return self._wrap(out, table)

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import Constant, Product, number

        read = [number(column) for column in columns]
        ones: list[Expression] = [Constant(1.0)] * bool(self.include_bias)
        return ones + [
            Product(tuple(read[j] for j in used)) if len(used) > 1 else read[used[0]]
            for used in self._products(len(read))
        ]

    def _refuse_overflow(self, kind: np.dtype[Any]) -> NoReturn:
        raise NumericalError(
            f"PolynomialFeatures: products of degree {self._degrees()[1]} of these columns exceed "
            f"what {kind} can hold (about {np.finfo(kind).max:.0e}); divide the large columns by a "
            "constant first."
        ) from None

    def _plan(self, p: int) -> Iterator[tuple[int, int, int]]:
        """(earlier product or −1, column, output or −1 for a mere step), in order of degree."""
        low, high = self._degrees()
        choose = combinations if self.interaction_only else combinations_with_replacement
        position = int(self.include_bias)
        earlier: dict[tuple[int, ...], int] = {(): -1}
        made = 0
        for degree in range(1, high + 1):
            level: dict[tuple[int, ...], int] = {}
            for product in choose(range(p), degree):
                wanted = degree >= low
                yield earlier[product[:-1]], product[-1], position if wanted else -1
                level[product] = made
                made += 1
                position += wanted
            earlier = level

    def _expand(
        self, columns: NDArray[Any], plan: list[tuple[int, int, int]], out: NDArray[Any]
    ) -> None:
        """Fill `out` (rows × products) from the columns (one per row here)."""
        if self.include_bias:
            out[:, 0] = 1.0
        products = np.empty((len(plan), columns.shape[1]), dtype=columns.dtype)
        for row, (parent, column, _) in enumerate(plan):
            if parent < 0:
                products[row] = columns[column]
            else:
                np.multiply(products[parent], columns[column], out=products[row])
        kept = [row for row, step in enumerate(plan) if step[2] >= 0]
        out[:, int(self.include_bias) :] = (
            products.T if len(kept) == len(plan) else products[kept].T
        )

    def _sparse(self, x: Any) -> Any:
        """The same for compressed columns: products keep the zeros of their factors."""
        from scipy import sparse

        columns = x.tocsc()
        made: list[Any] = []
        outputs: list[Any] = []
        if self.include_bias:
            outputs.append(sparse.csc_array(np.ones((x.shape[0], 1), dtype=x.dtype)))
        for parent, column, position in self._plan(x.shape[1]):
            own = columns[:, [column]]
            made.append(own if parent < 0 else sparse.csc_array(made[parent].multiply(own)))
            if position >= 0:
                outputs.append(made[-1])
        out = sparse.hstack(outputs, format=x.format, dtype=x.dtype)
        if not np.isfinite(out.data).all():
            self._refuse_overflow(x.dtype)
        return out

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[np.object_]:
        """Names of the products, such as ``"x0^2 x1"``.

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        array of str objects
        """
        self._check_fitted()
        names = input_names(self, input_features)
        found = ["1"] if self.include_bias else []
        for product in self._products(self.n_features_in_):
            factors = [
                str(names[j]) if product.count(j) == 1 else f"{names[j]}^{product.count(j)}"
                for j in dict.fromkeys(product)
            ]
            found.append(" ".join(factors))
        return np.array(found, dtype=object)
