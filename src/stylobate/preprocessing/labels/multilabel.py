"""Sets of labels as zeros and ones."""

from __future__ import annotations

import warnings
from itertools import chain
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.data.sparse import dense_array
from stylobate.data.words import Input, user_stacklevel
from stylobate.exceptions import InvalidDataError, StylobateWarning, UnsupportedDataError
from stylobate.preprocessing.encoding.allowed import Entries


class MultiLabelBinarizer(TransformerMixin, BaseEstimator):
    """Sets of labels as rows of zeros and ones, one column for each label.

    Parameters
    ----------
    classes : array-like of shape (k,) or None, default=None
        The labels, in the order of the columns; None takes all that occur, sorted.
    sparse_output : bool, default=False
        Whether to return a sparse array.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels in the order of the columns.

    Examples
    --------
    >>> binarizer = MultiLabelBinarizer()
    >>> binarizer.fit_transform([{"comedy"}, {"drama", "comedy"}, set()])
    array([[1, 0],
           [1, 1],
           [0, 0]])
    >>> binarizer.inverse_transform(np.array([[0, 1]]))
    [('drama',)]
    """

    def __init__(
        self, *, classes: Annotated[Any, Entries()] | None = None, sparse_output: bool = False
    ) -> None:
        self.classes = classes
        self.sparse_output = sparse_output

    def _tags(self) -> Tags:
        return super()._tags().but(two_d=False, two_d_labels=True)

    def fit(self, y: Any) -> Self:
        """Find the labels.

        Parameters
        ----------
        y : iterable of iterables
            The labels of each row.

        Returns
        -------
        self
        """
        self._check_parameters()
        if self.classes is None:
            found = set(chain.from_iterable(y))
            try:
                labels = sorted(found)
            except TypeError as error:
                raise UnsupportedDataError(
                    "MultiLabelBinarizer: labels must be of one kind to be sorted; y holds "
                    f"{sorted({type(label).__name__ for label in found})}. Pass classes."
                ) from error
        else:
            labels = list(self.classes)
            if len(set(labels)) < len(labels):
                raise InvalidDataError(
                    "The classes argument contains duplicate classes. Remove these duplicates "
                    "before passing them to MultiLabelBinarizer."
                )
        whole = all(isinstance(label, int) for label in labels)
        self.classes_ = np.empty(len(labels), dtype=int if whole else object)
        self.classes_[:] = labels
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the labels and return their columns.

        Parameters
        ----------
        y : iterable of iterables
            The labels of each row.

        Returns
        -------
        array or sparse array of shape (n, k)
        """
        rows = [list(row) for row in y]
        return self.fit(rows).transform(rows)

    def transform(self, y: Any) -> Any:
        """The columns of sets of labels; labels not seen at `fit` are left out, with a warning.

        Parameters
        ----------
        y : iterable of iterables
            The labels of each row.

        Returns
        -------
        array or sparse array of shape (n, k)
        """
        from scipy import sparse

        self._check_fitted()
        number = {label: k for k, label in enumerate(self.classes_.tolist())}
        unknown: set[Any] = set()
        indices: list[int] = []
        starts = [0]
        for row in y:
            places = {number.get(label, -1) for label in row}
            if -1 in places:
                unknown.update(label for label in row if label not in number)
                places.discard(-1)
            indices.extend(sorted(places))
            starts.append(len(indices))
        if unknown:
            warnings.warn(
                f"unknown class(es) {sorted(unknown, key=str)} will be ignored",
                StylobateWarning,
                stacklevel=user_stacklevel(),
            )
        ones = np.ones(len(indices), dtype=np.int64)
        shape = (len(starts) - 1, len(number))
        matrix: Any = sparse.csr_matrix((ones, indices, starts), shape=shape)
        return matrix if self.sparse_output else matrix.toarray()

    def inverse_transform(self, yt: Any) -> list[tuple[Any, ...]]:
        """The labels of rows of zeros and ones.

        Parameters
        ----------
        yt : array or sparse array of shape (n, k)
            Zeros and ones.

        Returns
        -------
        list of tuples
        """
        self._check_fitted()
        matrix: NDArray[Any] = dense_array(yt, Input(type(self).__name__, "yt"))
        if matrix.ndim != 2 or matrix.shape[1] != len(self.classes_):
            raise InvalidDataError(
                f"Expected indicator for {len(self.classes_)} classes, but got "
                f"{matrix.shape[1] if matrix.ndim == 2 else matrix.shape}"
            )
        strange = np.setdiff1d(matrix, [0, 1])
        if len(strange):
            raise InvalidDataError(
                f"Expected only 0s and 1s in label indicator. Also got {strange}"
            )
        return [tuple(self.classes_.compress(row)) for row in matrix]
