"""Labels as zeros and ones, one column against the rest."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.data.coding import code_column, positions
from stylobate.data.labels import label_vector
from stylobate.data.sparse import dense_array, is_sparse
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError
from stylobate.splits import type_of_target


class LabelBinarizer(TransformerMixin, BaseEstimator):
    """One column of zeros and ones for each label; a single column for two labels.

    Parameters
    ----------
    neg_label : int, default=0
        What stands for "another label".
    pos_label : int, default=1
        What stands for "this label"; larger than `neg_label`.
    sparse_output : bool, default=False
        Whether to return a sparse array.

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels in order.
    y_type_ : str
        "binary", "multiclass" or "multilabel-indicator".
    sparse_input_ : bool
        Whether y was sparse.

    Examples
    --------
    >>> binarizer = LabelBinarizer().fit(["a", "b", "c"])
    >>> binarizer.transform(["c", "a"])
    array([[0, 0, 1],
           [1, 0, 0]])
    """

    def __init__(
        self, *, neg_label: int = 0, pos_label: int = 1, sparse_output: bool = False
    ) -> None:
        self.neg_label = neg_label
        self.pos_label = pos_label
        self.sparse_output = sparse_output

    def _tags(self) -> Tags:
        return super()._tags().but(two_d=False, one_d_labels=True)

    def fit(self, y: Any) -> Self:
        """Find the labels.

        Parameters
        ----------
        y : array-like of shape (n,) or matrix of zeros and ones of shape (n, k)
            Labels.

        Returns
        -------
        self
        """
        self._check_parameters()
        _check_signs(self.neg_label, self.pos_label, self.sparse_output)
        kind = _kind_of(y)
        self.y_type_ = kind
        self.sparse_input_ = is_sparse(y)
        if kind == "multilabel-indicator":
            self.classes_ = np.arange(_matrix(y).shape[1])
        else:
            self.classes_ = code_column(_vector(y)).sorted().values
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the labels and return their columns.

        Parameters
        ----------
        y : array-like of shape (n,) or matrix of zeros and ones of shape (n, k)
            Labels.

        Returns
        -------
        array or sparse array of shape (n, k), (n, 1) for two labels
        """
        return self.fit(y).transform(y)

    def transform(self, y: Any) -> Any:
        """The columns of labels; those not seen at `fit` are "another" in all of them.

        Parameters
        ----------
        y : array-like of shape (n,) or matrix of zeros and ones of shape (n, k)
            Labels.

        Returns
        -------
        array or sparse array of shape (n, k), (n, 1) for two labels
        """
        self._check_fitted()
        if _kind_of(y) == "multilabel-indicator" and self.y_type_ != "multilabel-indicator":
            raise InvalidDataError("The object was not fitted with multilabel input.")
        return label_binarize(
            y,
            classes=self.classes_,
            neg_label=self.neg_label,
            pos_label=self.pos_label,
            sparse_output=self.sparse_output,
        )

    def inverse_transform(self, Y: Any, threshold: float | None = None) -> Any:
        """The labels of rows: the largest column, or what exceeds the threshold.

        Parameters
        ----------
        Y : array-like or sparse array of shape (n, k)
            Columns, or scores.
        threshold : float, optional
            For two labels and several at a time; by default halfway between the two values.

        Returns
        -------
        array of shape (n,), or matrix of zeros and ones
        """
        self._check_fitted()
        if threshold is None:
            threshold = (self.pos_label + self.neg_label) / 2.0
        scores = dense_array(Y, Input(type(self).__name__, "Y"))
        if self.y_type_ == "multiclass":
            self._check_width(scores)
            return self.classes_[scores.argmax(axis=1)]
        above = (scores > threshold).astype(np.int64)
        if self.y_type_ == "binary":
            if scores.ndim == 2 and scores.shape[1] > 2:
                raise InvalidDataError(f"output_type='binary', but y.shape = {scores.shape}")
            if len(self.classes_) == 1:
                return np.repeat(self.classes_[0], len(scores))
            two = scores.ndim == 2 and scores.shape[1] == 2
            return self.classes_[above[:, 1] if two else above.ravel()]
        self._check_width(scores)
        if not self.sparse_input_:
            return above
        from scipy import sparse

        return sparse.csr_matrix(above)

    def _check_width(self, scores: NDArray[Any]) -> None:
        if scores.ndim != 2 or scores.shape[1] != len(self.classes_):
            raise InvalidDataError(
                "The number of class is not equal to the number of dimension of y: "
                f"{len(self.classes_)} classes, y has shape {scores.shape}."
            )


def label_binarize(
    y: Any, *, classes: Any, neg_label: int = 0, pos_label: int = 1, sparse_output: bool = False
) -> Any:
    """Labels as columns of zeros and ones, one for each class.

    Parameters
    ----------
    y : array-like of shape (n,) or matrix of zeros and ones of shape (n, k)
        Labels; those not among the classes are "another" in every column.
    classes : array-like of shape (k,)
        The classes, in the order of the columns.
    neg_label, pos_label : int, default=0, 1
        What stands for "another" and "this".
    sparse_output : bool, default=False
        Whether to return a sparse array.

    Returns
    -------
    array or sparse array of shape (n, k); (n, 1) for two classes

    Examples
    --------
    >>> label_binarize([1, 6], classes=[1, 2, 4, 6])
    array([[1, 0, 0, 0],
           [0, 0, 0, 1]])
    """
    _check_signs(neg_label, pos_label, sparse_output)
    kind = _kind_of(y)
    known = label_vector(classes, Input("label_binarize", "classes"))
    if kind == "multilabel-indicator":
        at = _matrix(y) != 0
        if at.shape[1] != len(known):
            raise InvalidDataError(
                f"classes {known} mismatch with the labels {np.arange(at.shape[1])} found in the "
                "data"
            )
    else:
        coded = code_column(_vector(y))
        at = (np.arange(len(known)) == positions(coded.values, known)[:, None])[coded.codes]
        if len(known) <= 2 and kind == "binary":
            # a single class has no other: it is never told from the rest
            at = at[:, 1:] if len(known) == 2 else np.zeros_like(at)
    if sparse_output:
        from scipy import sparse

        return sparse.csr_matrix(at.astype(np.int64) * pos_label)
    return np.where(at, pos_label, neg_label).astype(np.int64)


def _check_signs(neg_label: int, pos_label: int, sparse_output: bool) -> None:
    if neg_label >= pos_label:
        raise InvalidDataError(
            f"neg_label={neg_label} must be strictly less than pos_label={pos_label}."
        )
    if sparse_output and (pos_label == 0 or neg_label != 0):
        raise InvalidDataError(
            "Sparse binarization is only supported with non zero pos_label and zero neg_label, got "
            f"pos_label={pos_label} and neg_label={neg_label}"
        )


def _kind_of(y: Any) -> str:
    shape = getattr(y, "shape", None)
    if (shape[0] if shape else len(y)) == 0:
        raise InvalidDataError(f"y has 0 samples: {y!r}")
    kind = type_of_target(_matrix(y) if is_sparse(y) else y)
    if "multioutput" in kind:
        raise InvalidDataError("Multioutput target data is not supported with label binarization")
    if kind in ("unknown", "continuous"):
        raise InvalidDataError(
            f"Unknown label type: {kind}; labels must be text, integers or booleans."
        )
    return str(kind)


def _vector(y: Any) -> NDArray[Any]:
    return label_vector(y, Input("LabelBinarizer", "y"))


def _matrix(y: Any) -> NDArray[Any]:
    return dense_array(y, Input("LabelBinarizer", "y"))
