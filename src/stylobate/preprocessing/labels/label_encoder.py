"""Labels as numbers."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags, TransformerMixin
from stylobate.data.coding import code_column, positions
from stylobate.data.labels import label_vector
from stylobate.data.words import Input
from stylobate.exceptions import InvalidDataError


class LabelEncoder(TransformerMixin, BaseEstimator):
    """Labels as numbers 0 to k - 1, for targets (`OrdinalEncoder` is for features).

    Attributes
    ----------
    classes_ : array of shape (k,)
        The labels in order.

    Examples
    --------
    >>> encoder = LabelEncoder().fit(["no", "yes", "no"])
    >>> encoder.transform(["yes", "no"])
    array([1, 0])
    >>> encoder.inverse_transform([0, 1]).tolist()
    ['no', 'yes']
    """

    def _tags(self) -> Tags:
        return super()._tags().but(two_d=False, one_d_labels=True)

    def fit(self, y: Any) -> Self:
        """Find the labels.

        Parameters
        ----------
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        self
        """
        self.fit_transform(y)
        return self

    def fit_transform(self, y: Any) -> NDArray[np.int64]:
        """Find the labels and return their numbers.

        Parameters
        ----------
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        array of shape (n,)
        """
        coded = code_column(label_vector(y, Input("LabelEncoder", "y"))).sorted()
        self.classes_ = coded.values
        return coded.codes.astype(np.int64, copy=False)

    def transform(self, y: Any) -> NDArray[np.int64]:
        """The numbers of labels.

        Parameters
        ----------
        y : array-like of shape (n,)
            Labels seen at `fit`.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        coded = code_column(label_vector(y, Input("LabelEncoder", "y")))
        place = positions(coded.values, self.classes_)
        if (place < 0).any():
            raise InvalidDataError(
                f"y contains previously unseen labels: {coded.values[place < 0].tolist()}"
            )
        return place[coded.codes].astype(np.int64, copy=False)

    def inverse_transform(self, y: Any) -> NDArray[Any]:
        """The labels of numbers.

        Parameters
        ----------
        y : array-like of shape (n,)
            Numbers 0 to k - 1.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        numbers = label_vector(y, Input("LabelEncoder", "y"))
        if len(numbers) == 0:
            return self.classes_[:0]
        strange = np.setdiff1d(numbers, np.arange(len(self.classes_)))
        if len(strange):
            raise InvalidDataError(f"y contains previously unseen labels: {strange.tolist()}")
        return self.classes_[numbers.astype(np.intp)]
