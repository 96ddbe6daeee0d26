"""Ratios, differences and products of columns, proposed where they say more than the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Self

import numpy as np

from stylobate.base import BaseEstimator, Interval, Options, Tags, TransformerMixin
from stylobate.base.validation import input_names
from stylobate.exceptions import InvalidParameterError, NumericalError
from stylobate.feature_selection.pair_scores import OPERATIONS, combined, scored_pairs
from stylobate.feature_selection.targets import read_any_target

if TYPE_CHECKING:
    from stylobate.formula.expressions import Expression

_SIGNS = {"ratio": "/", "difference": "-", "product": "*"}


class PairFeatures(TransformerMixin, BaseEstimator):
    r"""Adds ratios, differences and products of two columns that say more of the target than both.

    A ratio or a product c of columns a and b is proposed where it explains what no line in a and b
    does, by the partial F test of c in :math:`y \sim 1 + a + b + c`; a difference where a and b
    together explain more than the better of them, and their difference at least nine tenths of
    that. p-values are multiplied by the number of candidates; the largest gains are taken, each of
    them only if it still adds beside those before it. What is proposed depends on the rows of `fit`
    alone: in a pipeline a cross-validation searches anew in each training part.

    Parameters
    ----------
    operations : sequence of str, default=("ratio", "difference", "product")
        What is tried.
    max_features : int in [0, inf), default=10
        Most columns added.
    alpha : float in (0, 1), default=0.01
        Level of the tests, for all candidates together.
    max_columns : int in [2, inf), default=40
        Of more columns those are combined that go with the target most by themselves.

    Attributes
    ----------
    operations_ : list of str
        Of each column added.
    pairs_ : array of int of shape (n_added, 2)
        Which columns it is made of.
    gains_ : array of shape (n_added,)
        Share of the target's variance that it explains beyond its columns.
    pvalues_ : array of shape (n_added,)
        Corrected for the number of candidates.
    floors_ : array of shape (n_added,)
        Denominators are kept away from zero by the smallest one seen; 0 for other operations.
    n_candidates_ : int
        How many combinations were tried.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> weight, height = rng.uniform(50, 100, 300), rng.uniform(1.5, 2.0, 300)
    >>> y = weight / height + rng.normal(0, 1, 300)
    >>> pairs = PairFeatures().fit(np.column_stack([weight, height]), y)
    >>> pairs.get_feature_names_out(["weight", "height"]).tolist()
    ['weight', 'height', 'weight / height']

    References
    ----------
    Kanter & Veeramachaneni (2015), Deep feature synthesis, DSAA; Horn, Pack & Rieger (2019), The
    autofeat Python library for automated feature engineering and selection.
    """

    def __init__(
        self,
        operations: Annotated[Any, Options(*OPERATIONS)] | list[Any] | tuple[Any, ...] = OPERATIONS,
        *,
        max_features: Annotated[int, Interval(0, np.inf)] = 10,
        alpha: Annotated[float, Interval(0, 1, closed="neither")] = 0.01,
        max_columns: Annotated[int, Interval(2, np.inf)] = 40,
    ) -> None:
        self.operations = operations
        self.max_features = max_features
        self.alpha = alpha
        self.max_columns = max_columns

    def _tags(self) -> Tags:
        return super()._tags().but(requires_y=True, preserves_dtype=("float64", "float32"))

    def fit(self, X: Any, y: Any = None) -> Self:
        """Look for combinations of columns that go with the target.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Numbers.
        y : array-like of shape (n,) or (n, n_outputs)
            Numbers or classes.

        Returns
        -------
        self
        """
        self._check_parameters()
        asked = [self.operations] if isinstance(self.operations, str) else list(self.operations)
        unknown = [each for each in asked if each not in OPERATIONS]
        if unknown:
            raise InvalidParameterError(
                f"PairFeatures: operations must be some of {', '.join(map(repr, OPERATIONS))}, got "
                f"{unknown[0]!r}."
            )
        table = self._read(X, reset=True, y_required=y is None)
        target = read_any_target(y, table.n_rows, owner=type(self).__name__)
        x = np.asarray(table.x, dtype=np.float64)
        found = scored_pairs(x, target, asked, int(self.max_columns))
        chosen = found.chosen(x, target, float(self.alpha), int(self.max_features))
        self.n_candidates_ = len(found.gains)
        self.operations_ = [found.operations[k] for k in chosen]
        self.pairs_ = found.pairs[chosen]
        self.gains_, self.floors_ = found.gains[chosen], found.floors[chosen]
        self.pvalues_ = np.minimum(found.p_values[chosen] * len(found.gains), 1.0)
        self._n_features_out = table.n_features + len(chosen)
        return self

    def transform(self, X: Any) -> Any:
        """The columns of X and the combinations found.

        Parameters
        ----------
        X : array-like or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array or frame of shape (n, n_features + n_added)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        x = np.asarray(table.x)
        out = np.empty((len(x), self._n_features_out), dtype=x.dtype)
        out[:, : x.shape[1]] = x
        for k, (operation, (i, j)) in enumerate(zip(self.operations_, self.pairs_, strict=True)):
            made = combined(operation, x[:, i], x[:, j], float(self.floors_[k]))
            if not np.isfinite(made).all():
                name = f"{input_names(self)[i]} {_SIGNS[operation]} {input_names(self)[j]}"
                raise NumericalError(
                    f"PairFeatures: {name} exceeds what {x.dtype} can hold; scale the columns."
                )
            out[:, x.shape[1] + k] = made
        return self._wrap(out, table)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Names of the columns: the input's, and such as "weight / height".

        Parameters
        ----------
        input_features : array-like of str, optional
            Names of the input columns; by default those seen at `fit`, else ``x0``, ``x1``, …

        Returns
        -------
        ndarray of str objects
        """
        self._check_fitted()
        names = [str(name) for name in input_names(self, input_features)]
        pairs = zip(self.operations_, self.pairs_, strict=True)
        made = [f"{names[i]} {_SIGNS[operation]} {names[j]}" for operation, (i, j) in pairs]
        return np.array([*names, *made], dtype=object)

    def words(self) -> str:
        """What was found, a line for each column added."""
        self._check_fitted()
        if not self.operations_:
            return f"None of {self.n_candidates_} combinations says more than its columns."
        names = self.get_feature_names_out()[self.n_features_in_ :]
        return "\n".join(
            f"{name} explains {100 * gain:.2g} % of the target beyond its columns (p = {p:.1g}, "
            f"corrected for {self.n_candidates_} candidates)."
            for name, gain, p in zip(names, self.gains_, self.pvalues_, strict=True)
        )

    def _formula(self, columns: list[Expression]) -> list[Expression]:
        from stylobate.formula.expressions import Constant, Extreme, Linear, Product, Ratio, number

        read = [number(column) for column in columns]
        made: list[Expression] = []
        for operation, (i, j), floor in zip(
            self.operations_, self.pairs_, self.floors_, strict=True
        ):
            if operation == "product":
                made.append(Product((read[i], read[j])))
            elif operation == "difference":
                made.append(Linear((read[i], read[j]), (1.0, -1.0)))
            else:
                held = Extreme(bool(floor > 0), (read[j], Constant(float(floor))))
                made.append(Ratio(read[i], held))
        return [*read, *made]
