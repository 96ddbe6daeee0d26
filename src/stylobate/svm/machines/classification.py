"""What `SVC` and `NuSVC` share: one machine for each pair of classes, votes and probabilities."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array, Indices
from stylobate.base import ClassifierMixin
from stylobate.base.classes import class_weights
from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.kernels.kernel import count_of
from stylobate.svm.choice.span_bound import span_bounds
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints, subset
from stylobate.svm.machines.base import KernelMachine
from stylobate.svm.machines.machine import Machine, constant_machine, solve_machine
from stylobate.svm.machines.one_vs_one import (
    PairProblems,
    class_numbers,
    class_pairs,
    class_slices,
    pair_rows,
    pair_sums,
    paired,
    shaped_decisions,
)
from stylobate.svm.machines.probabilities import PlattProbabilities


class SupportVectorClassifier(ClassifierMixin, PlattProbabilities, KernelMachine):
    """One-vs-one support vector classification; subclasses say the dual of a pair."""

    class_weight: Any
    decision_function_shape: Any
    break_ties: Any
    classes_: NDArray[Any]
    _objective = ""
    _has_margin = False  # whether the dual leaves the margin to be found

    # --- learning -------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the support vectors of every pair of classes.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` the kernel matrix (n, n); for a function, whatever it
            takes.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), default=None
            Factors of C; rows whose weight is not positive are left out.

        Returns
        -------
        self
        """
        self._check_parameters()
        self._warn_probability()
        asked = self._pair_problems(X, y, sample_weight)
        pairs = class_pairs(len(self.classes_))
        machines = [
            self._pair_machine(asked.points, pair, own, asked.codes, asked.weights)
            for pair, own in zip(pairs, asked.rows, strict=True)
        ]
        self._keep(asked, machines)
        if self.probability is True:
            self._learn_sigmoids(asked.points, asked.rows, asked.codes, asked.weights)
        return self

    def _pair_problems(self, X: Any, y: Any, sample_weight: Any) -> PairProblems:
        """The rows of every pair of classes, checked; classes and their weights are remembered."""
        points = self._points_of_fit(X)
        n, owner = self.shape_fit_[0], type(self).__name__
        classes, codes = read_labels(y, owner=owner, n_rows=n)
        if len(classes) < 2:
            raise InvalidDataError(
                f"{owner}: The number of classes has to be greater than one; got {len(classes)} "
                f"class ({classes.tolist()[0]!r}): there is nothing to separate."
            )
        weights = self._weights_of(sample_weight, n)
        self.classes_ = classes
        self.class_weight_ = class_weights(self.class_weight, classes, codes, owner=owner)
        self._check_weights(codes, weights)
        return PairProblems(points, codes, weights, pair_rows(codes, weights, len(classes)))

    def _keep(self, asked: PairProblems, machines: list[Machine]) -> None:
        """The machines of all pairs as attributes."""
        joint = paired(machines, asked.rows, asked.codes, len(self.classes_))
        self.support_, self._n_support = joint.support, joint.n_support
        self.dual_coef_, self.intercept_ = joint.dual_coef, joint.intercept
        self.n_iter_ = np.array([machine.n_iter for machine in machines], dtype=np.int32)
        self._store(asked.points, machines)
        self._probA = self._probB = np.empty(0)

    def _check_weights(self, codes: NDArray[np.int64], weights: Array) -> None:
        """Refuse weights no machine can be made of."""
        raise NotImplementedError

    def _dual(self, sign: Array, codes: NDArray[np.int64], weights: Array) -> DualProblem:
        """The dual of rows of two classes."""
        raise NotImplementedError

    def _check_machine(self, machine: Machine, sign: Array, rows: Indices) -> None:
        """Refuse an answer that does not exist."""

    def _signs(self, pair: tuple[int, int], codes: NDArray[np.int64]) -> Array:
        """+1 for the first class of a pair; of two classes in all, for the second."""
        first = 1.0 if len(self.classes_) > 2 else -1.0
        return np.where(codes == pair[0], first, -first)

    def _pair_machine(
        self,
        points: KernelPoints,
        pair: tuple[int, int],
        rows: Indices,
        codes: NDArray[np.int64],
        weights: Array,
        start: Array | None = None,
    ) -> Machine:
        own = codes[rows]
        sign = self._signs(pair, own)
        i, j = (self.classes_[code] for code in pair)
        name = f"{i} against {j}"
        if not len(rows) or (sign == sign[0]).all():
            value = float(sign[0]) if len(rows) else 0.0
            return constant_machine(len(rows), value, name, self.tol)
        return solve_machine(
            subset(points, rows),
            self._dual(sign, own, weights[rows]),
            self._request,
            name=name,
            objective=self._objective,
            rows=rows,
            margin=self._has_margin,
            start=start,
            check=lambda machine: self._check_machine(machine, sign, rows),
        )

    # --- decisions ------------------------------------------------------------------------------

    def _linear_weights(self) -> Any:
        if len(self.classes_) == 2:
            return super()._linear_weights()
        coefficients, vectors = self._dense_coefficients(), self.support_vectors_
        parts = [coefficients[:, own] @ vectors[own] for own in class_slices(self._n_support)]
        rows = np.vstack([parts[i][j - 1] + parts[j][i] for i, j in class_pairs(len(parts))])
        if not self._sparse:
            return rows
        from scipy.sparse import csr_array

        return csr_array(rows)

    def _pair_decisions(self, X: Any) -> Array:
        """Decisions of all pairs: (n, 1) for two classes, positive for the second of them."""
        if len(self.classes_) == 2 or self._is_linear:
            return self._sums(X)
        queries = self._queries(X)
        points, chosen = self._known_points()
        coefficients = self._dense_coefficients()
        products = []
        for own in class_slices(self._n_support):
            if own.start == own.stop:
                products.append(np.zeros((count_of(queries), len(coefficients))))
            else:
                products.append(points.product(queries, chosen[own], coefficients[:, own].T))
        return pair_sums(products, self.intercept_)

    def decision_function(self, X: Any) -> Array:
        """Signed distances to the decision surfaces, in units of half the margin.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` their kernel with the points of the fit.

        Returns
        -------
        array of shape (n,), (n, n_classes) or (n, n_classes (n_classes − 1) / 2)
            Of two classes one number, positive for the second. Of more, with "ovr" the votes of
            each class with their confidence as a fraction, with "ovo" one number for each pair,
            positive for the first class of it.
        """
        self._check_fitted()
        decisions = self._pair_decisions(X)
        return shaped_decisions(decisions, len(self.classes_), self.decision_function_shape)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row: the one that wins most pairs.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows; for ``kernel="precomputed"`` their kernel with the points of the fit.

        Returns
        -------
        array of shape (n,)
        """
        self._check_fitted()
        k = len(self.classes_)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise InvalidParameterError(
                "break_ties must be False when decision_function_shape is 'ovo'"
            )
        decisions = self._pair_decisions(X)
        codes = class_numbers(decisions, k, break_ties=bool(self.break_ties))
        labels: NDArray[Any] = self.classes_[codes]
        return labels

    # --- pictures -------------------------------------------------------------------------------

    def plot(self, X: Any, y: Any = None, **options: Any) -> Any:
        """The decision over the plane of two features, with margins and support vectors.

        Parameters
        ----------
        X : array-like or data frame of shape (n, 2)
            The rows of the fit.
        y : array-like of shape (n,), default=None
            Their classes.
        **options : object
            As for `stylobate.plot.plot_support_vectors`.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_support_vectors

        self._check_fitted()
        return plot_support_vectors(self, X, y, **options)

    # --- leave-one-out --------------------------------------------------------------------------

    def leave_one_out_bound(self, X: Any = None) -> Any:
        r"""The span bound of the leave-one-out error, without a single further fit.

        With :math:`S_p` the distance of support vector p from the span of the other free ones,

        .. math:: \frac1n \#\{p : α_p S_p^2 \ge y_p f(x_p)\}

        counts the points that could be mistaken if they were left out. It holds if the sets of free
        and bound points stay the same without one point, and is close to the truth otherwise.

        Parameters
        ----------
        X : array of shape (n, n), default=None
            The kernel matrix of the fit, for ``kernel="precomputed"`` alone.

        Returns
        -------
        float, or array of one for each pair of classes

        References
        ----------
        Vapnik & Chapelle (2000), Bounds on error expectation for support vector machines, Neural
        Computation 12.
        """
        self._check_fitted()
        found = span_bounds(
            self._support_gram(X),
            self._dense_coefficients(),
            self._n_support,
            self.support_,
            self.intercept_,
            self._conditions,
        )
        return float(found[0]) if len(self.classes_) == 2 else found
