"""Classes as targets ±1 of a least-squares problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import Tags, class_weights, read_classes
from stylobate.base.learning import LearnsFromStatistic
from stylobate.base.stream_labels import LabelCounts
from stylobate.base.tags import Tier
from stylobate.data import read_labels, read_weights
from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import FormulaError, InvalidParameterError
from stylobate.linear_model.shared.classifier import LinearClassifier
from stylobate.splits.value_numbers import numpy_of

if TYPE_CHECKING:
    from stylobate.data import Table
    from stylobate.formula.expressions import Answer, Expression
    from stylobate.optimize.certificate import Certificate


class SignedTargets(LinearClassifier, LearnsFromStatistic):
    """Classifiers that regress ±1; subclasses write `_learn` for a source with those targets."""

    class_weight: Mapping[Any, float] | str | None
    multilabel_ = False  # rows of several labels: a target ±1 for each
    certificate_: Certificate
    solver_: str
    n_iter_: int

    def _tags(self) -> Tags:
        # labels still to come would change the targets: a pass of their own settles the classes
        tier: Tier = "all rows" if self._needs_rows else "several passes"
        return super()._tags().but(tier=tier, multi_label=True)

    def _read(
        self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool, **options: Any
    ) -> Table:
        # one column of targets per class
        return super()._read(X, y, sample_weight, reset=reset, **{"multi_output": True} | options)

    def _fit_labels(self, X: Any, y: Any, sample_weight: Any) -> Self:
        owner = type(self).__name__
        indicator = indicator_of(y)
        if indicator is not None:
            return self._fit_indicator(X, indicator, sample_weight)
        known, numbers = read_labels(y, owner=owner)  # once: it may warn
        classes, codes = read_classes(known[numbers], owner=owner, n_rows=len(numbers))
        weights = self._weights(classes, codes, sample_weight)
        self._several = False
        self._labels = classes  # `classes_` once the fit has succeeded
        super().fit(X, signed(codes, len(classes)), weights)
        self.classes_ = classes
        return self

    def _fit_indicator(self, X: Any, indicator: NDArray[np.bool_], sample_weight: Any) -> Self:
        """One regression for each label, which all share the pass and the factorisation."""
        if self.class_weight is not None:
            raise InvalidParameterError(
                f"{type(self).__name__}: class_weight weighs rows by their one class, and here "
                "rows have several labels; give sample_weight, or class_weight=None."
            )
        self._labels, self._several = np.arange(indicator.shape[1]), True
        super().fit(X, np.where(indicator, 1.0, -1.0), sample_weight)
        self.classes_, self.multilabel_ = self._labels, True
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of every row; where rows have several, ones for those they have.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,), or (n, n_labels) of 0 and 1
        """
        if not self.multilabel_:
            return super().predict(X)
        return np.asarray(self.decision_function(X) > 0, dtype=np.intp)

    def _formula(self, columns: list[Expression]) -> Answer:
        if self.multilabel_:
            raise FormulaError(
                f"{type(self).__name__}: a formula gives one label a row, and these rows have "
                "several; fit one model for each label."
            )
        return super()._formula(columns)

    def _fit_stream(self, stream: Stream) -> Self:
        """A pass over the labels settles the classes; those after it see targets ±1."""
        if self._needs_rows:
            return super()._fit_stream(stream)
        self._start_afresh()
        owner = type(self).__name__
        labels = LabelCounts.of(stream, owner)
        classes, every = labels.classes, np.arange(len(labels.classes))
        factors = None
        if self.class_weight is not None:
            factors = class_weights(
                self.class_weight, classes, every, owner=owner, sample_weight=labels.rows
            )
        door, self._labels, self._several = self._batch_reader(), classes, False

        def read(batch: Batch) -> Table:
            codes = labels.codes(batch.y, batch.n_rows, owner)
            weights = batch.weights
            if factors is not None:
                own = read_weights(weights, len(codes), owner=owner)
                weights = factors[codes] if own is None else factors[codes] * own
            return door(Batch(batch.x, signed(codes, len(classes)), weights))

        self._learn(self._source(stream, read))
        self.classes_ = classes
        return self

    def _weights(self, classes: NDArray[Any], codes: NDArray[np.int64], given: Any) -> Any:
        """Weights of the rows times those of their classes; the door checks the rest."""
        if self.class_weight is None:
            return given
        self._check_parameters()
        own = read_weights(given, len(codes), owner=type(self).__name__)
        counted = codes if own is None else codes[own > 0]
        factors = class_weights(self.class_weight, classes, counted, owner=type(self).__name__)
        return factors[codes] if own is None else factors[codes] * own

    def _warn_not_converged(self, tol: float) -> None:
        from stylobate.linear_model.shared.convergence import remedies, warn_not_converged

        warn_not_converged(
            type(self).__name__,
            self.solver_,
            self.n_iter_,
            self.certificate_,
            tol=tol,
            advice=remedies(getattr(self, "solver", "auto")),
        )


def indicator_of(y: Any) -> NDArray[np.bool_] | None:
    """Which labels each row has, if y is a table of 0 and 1 (or −1 and 1) with several columns.

    >>> indicator_of([[1, 0], [1, 1]]).tolist(), indicator_of([1, 0])
    ([[True, False], [True, True]], None)
    """
    try:
        given = numpy_of(y.toarray() if hasattr(y, "toarray") else y)
    except ValueError:
        return None  # ragged lists, which the door refuses in words of its own
    if given.ndim != 2 or given.shape[1] < 2 or given.dtype.kind not in "buif":
        return None
    values = set(np.unique(given).tolist())
    return given == 1 if values <= {0, 1} or values <= {-1, 1} else None


def codes_of(margins: Array) -> NDArray[np.intp]:
    """Class numbers of margins, or of targets, in one column or one per class.

    >>> codes_of(signed(np.array([0, 2, 1]), 3)).tolist()
    [0, 2, 1]
    """
    if margins.ndim == 1 or margins.shape[1] == 1:
        return (margins.reshape(-1) > 0).astype(np.intp)
    return np.asarray(margins.argmax(axis=1))


def signed(codes: NDArray[np.int64], n_classes: int) -> Array:
    """±1 per row for two classes, else one column per class with +1 for the row's own.

    >>> signed(np.array([0, 2, 1]), 3).tolist()
    [[1.0, -1.0, -1.0], [-1.0, -1.0, 1.0], [-1.0, 1.0, -1.0]]
    """
    if n_classes == 2:
        return np.where(codes == 1, 1.0, -1.0)[:, None]
    targets = np.full((len(codes), n_classes), -1.0)
    targets[np.arange(len(codes)), codes] = 1.0
    return targets
