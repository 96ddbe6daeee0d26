"""What linear classifiers share: margins, labels, sparse coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, ClassifierMixin, Tags
from stylobate.parallel import product_of_rows

if TYPE_CHECKING:
    from stylobate.formula.expressions import Answer, Expression


class LinearClassifier(ClassifierMixin, BaseEstimator):
    """Labels by the sign, or the largest, of the margins Xw + b.

    Subclasses set ``classes_`` (k), ``coef_`` (1, p) or (p,) for two classes or (k, p),
    ``intercept_``.
    """

    classes_: NDArray[Any]
    coef_: Any
    intercept_: Any

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True)

    def decision_function(self, X: Any) -> NDArray[Any]:
        """Signed margins: one per row for two classes (positive: the second), else one per class.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_classes)
        """
        self._check_fitted()
        table = self._read(X, reset=False)
        kind = table.x.dtype
        coef = self.coef_.toarray() if hasattr(self.coef_, "toarray") else self.coef_
        margins = product_of_rows(table.x, np.atleast_2d(coef).T.astype(kind)) + np.asarray(
            self.intercept_
        ).astype(kind)
        margins = np.asarray(margins)
        return margins[:, 0] if margins.shape[1] == 1 else margins

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of every row.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,)
        """
        margins = self.decision_function(X)
        codes = (margins > 0).astype(np.intp) if margins.ndim == 1 else margins.argmax(axis=1)
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    def _formula(self, columns: list[Expression]) -> Answer:
        from stylobate.formula.pieces import classes_by_margin, classes_by_scores, linear_answer

        margins = linear_answer(columns, self.coef_, self.intercept_).predictions
        chances = hasattr(self, "predict_log_proba")
        if len(margins) == 1:
            return classes_by_margin(margins[0], self.classes_, chances=chances)
        return classes_by_scores(margins, self.classes_, chances=chances)

    def sparsify(self) -> Self:
        """Hold the coefficients as a SciPy sparse array; worth it when most are zero."""
        from scipy import sparse

        self._check_fitted()
        self.coef_ = sparse.csr_array(self.coef_)
        return self

    def densify(self) -> Self:
        """Undo `sparsify`."""
        self._check_fitted()
        if hasattr(self.coef_, "toarray"):
            self.coef_ = self.coef_.toarray()
        return self
