"""Labels as a network's outputs: one for two classes, one per class, one per label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError
from stylobate.splits.value_numbers import numpy_of


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Classes, and how outputs stand for them.

    Parameters
    ----------
    classes : array of shape (k,)
    kind : {"binary", "multiclass", "multilabel"}
    sparse : bool, default=False
        Whether several labels came as a sparse matrix, and are given back as one.

    Examples
    --------
    >>> labels = Labels.of(["b", "a", "b"], 3, "example")
    >>> labels.kind, labels.n_outputs, labels.decided(np.array([[0.9], [0.2]])).tolist()
    ('binary', 1, ['b', 'a'])
    """

    classes: NDArray[Any]
    kind: str
    sparse: bool = False

    @classmethod
    def of(cls, y: Any, n_rows: int, owner: str) -> Labels:
        """The labels of a target."""
        matrix = _indicator(y, owner)
        if matrix is not None:
            return cls(np.arange(matrix.shape[1]), "multilabel", hasattr(y, "toarray"))
        classes, _ = read_labels(y, owner=owner, n_rows=n_rows)
        return cls(classes, "binary" if len(classes) <= 2 else "multiclass")

    @classmethod
    def announced(cls, classes: Any, y: Any, known: Labels | None, owner: str) -> Labels:
        """The labels a first call names; later calls may name the same."""
        if classes is None:
            if known is None:
                raise InvalidDataError(
                    f"{owner}: classes must be passed on the first call to partial_fit."
                )
            return known
        given = np.unique(np.asarray(classes))
        if known is not None:
            if not np.array_equal(known.classes, given):
                raise InvalidDataError(
                    f"{owner}: `classes={classes!r}` is not the same as on last call to "
                    f"partial_fit, was: {known.classes!r}."
                )
            return known
        matrix = _indicator(y, owner)
        if matrix is not None:
            return cls(np.arange(matrix.shape[1]), "multilabel", hasattr(y, "toarray"))
        return cls(given, "binary" if len(given) <= 2 else "multiclass")

    @property
    def n_outputs(self) -> int:
        """One output for two classes, else one each."""
        return 1 if self.kind == "binary" else len(self.classes)

    def refuse_others(self, y: Any, owner: str, *, all_needed: bool) -> None:
        """Refuse labels that were not there before, or (`all_needed`) other than all of them."""
        if self.kind == "multilabel":
            return
        seen, _ = read_labels(y, owner=owner)
        if all_needed and set(seen.tolist()) != set(self.classes.tolist()):
            raise InvalidDataError(
                f"{owner}: warm_start can only be used where `y` has the same classes as in the "
                f"previous call to fit. Previously got {self.classes}, `y` has {seen}"
            )
        if not set(seen.tolist()) <= set(self.classes.tolist()):
            raise InvalidDataError(
                f"{owner}: `y` has classes not in `self.classes_`. `self.classes_` has "
                f"{self.classes}. 'y' has {seen}."
            )

    def targets(
        self, y: Any, n_rows: int, owner: str
    ) -> tuple[NDArray[Any] | None, NDArray[np.int32] | None]:
        """Zeros and ones for several labels at a time, else class numbers."""
        if self.kind == "multilabel":
            matrix = _indicator(y, owner)
            if matrix is None or matrix.shape != (n_rows, len(self.classes)):
                raise InvalidDataError(
                    f"{owner}: y must be zeros and ones of shape ({n_rows}, {len(self.classes)})."
                )
            return matrix, None
        seen, codes = read_labels(y, owner=owner, n_rows=n_rows)
        return None, np.searchsorted(self.classes, seen).astype(np.int32)[codes]

    def decided(self, outputs: NDArray[Any]) -> Any:
        """The labels that outputs stand for."""
        if self.kind == "multiclass":
            return self.classes[outputs.argmax(axis=1)]
        above = (outputs > 0.5).astype(np.int64)
        if self.kind == "binary":
            return self.classes[np.minimum(above[:, 0], len(self.classes) - 1)]
        if not self.sparse:
            return above
        from scipy import sparse

        return sparse.csr_array(above)


def _indicator(y: Any, owner: str) -> NDArray[np.float64] | None:
    """A matrix of zeros and ones with several columns; None for a vector of labels."""
    given = y.toarray() if hasattr(y, "toarray") else y
    try:
        matrix = numpy_of(given)
    except ValueError:  # ragged: no matrix, and the reader of labels says what is wrong
        return None
    if matrix.ndim != 2 or matrix.shape[1] < 2:
        return None
    if matrix.dtype.kind not in "biuf" or not np.isin(matrix, (0, 1)).all():
        raise InvalidDataError(
            f"{owner}: Multioutput target data is not supported with label binarization: y of "
            "several columns must hold zeros and ones."
        )
    return matrix.astype(np.float64)
