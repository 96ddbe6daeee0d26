"""What `NMF` and `MiniBatchNMF` share: reading X, starting factors, the way back."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from math import inf, sqrt
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, Tags, TransformerMixin
from stylobate.data import Table
from stylobate.decomposition.nonnegative.certificate import FactorizationCertificate
from stylobate.decomposition.nonnegative.initialization import initial_factors
from stylobate.decomposition.nonnegative.problem import FactorizationProblem, beta_of
from stylobate.decomposition.nonnegative.table import NonnegativeTable
from stylobate.decomposition.projection import wrap_rows
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, joined

Components = Annotated[int, Interval(1, inf)] | Annotated[str, Options("auto")] | None
Init = Annotated[str, Options("random", "nndsvd", "nndsvda", "nndsvdar", "custom")] | None
Loss = Annotated[str, Options("frobenius", "kullback-leibler", "itakura-saito")] | float
Strength = Annotated[float, Interval(0, inf)]
SharedStrength = Strength | Annotated[str, Options("same")]
Share = Annotated[float, Interval(0, 1, "both")]
Positive = Annotated[int, Interval(1, inf)]
Verbosity = Annotated[int, Interval(0, inf)] | bool


class NonnegativeFactors(TransformerMixin, BaseEstimator):
    """For estimators with ``components_`` (k × p) that are not negative."""

    if TYPE_CHECKING:
        components_: Any
        certificate_: FactorizationCertificate
        n_components: Any
        init: Any
        beta_loss: Any
        random_state: Any
        alpha_W: float
        alpha_H: Any
        l1_ratio: float
        tol: float
        max_iter: int

    def _tags(self) -> Tags:
        return (
            super()
            ._tags()
            .but(sparse=True, positive_only=True, preserves_dtype=("float64", "float32"))
        )

    @property
    def _n_features_out(self) -> int:
        return int(self.components_.shape[0])

    def fit(self, X: Any, y: Any = None, **params: Any) -> Any:
        """Find the factors.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, not negative.
        y : ignored
            For compatibility.
        **params : arrays
            ``W`` and ``H`` to start from, with ``init="custom"``.

        Returns
        -------
        self
        """
        self.fit_transform(X, **params)
        return self

    def fit_transform(self, X: Any, y: Any = None, W: Any = None, H: Any = None) -> Any:
        """Find the factors and return W.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, not negative.
        y : ignored
            For compatibility.
        W : array-like of shape (n, n_components), optional
            Where to start, with ``init="custom"``.
        H : array-like of shape (n_components, n_features), optional
            Where to start, with ``init="custom"``.

        Returns
        -------
        array or frame of shape (n, n_components)
        """
        self._check_parameters()
        table = self._read(X, reset=True)
        return self._wrap(self._factorize(table, W, H), table)

    @abstractmethod
    def _factorize(self, table: Table, W: Any, H: Any) -> Any:
        """Find the factors, keep H and return W, in the precision of X."""

    def inverse_transform(self, X: Any) -> Any:
        """The rows that weights X of the components give: X H.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_components)
            Weights.

        Returns
        -------
        array or frame of shape (n, n_features)
        """
        from stylobate.data import read_table

        self._check_fitted()
        owner = type(self).__name__
        table = read_table(X, owner=owner, accept_sparse=True)
        if table.n_features != self._n_features_out:
            raise InvalidDataError(
                f"{owner}.inverse_transform: X has {table.n_features} columns; the model has "
                f"{self._n_features_out} components."
            )
        return wrap_rows(self, np.asarray(table.x @ self.components_), table)

    def _problem(self, table: Table, where: str) -> FactorizationProblem:
        return self._problem_of(NonnegativeTable(table.x, where))

    def _problem_of(self, x: NonnegativeTable) -> FactorizationProblem:
        beta = beta_of(self.beta_loss)
        if beta <= 0.0 and x.smallest == 0.0:
            raise InvalidDataError(
                "When beta_loss <= 0 and X contains zeros, the solver may diverge. Please add "
                "small values to X, or use a positive beta_loss."
            )
        alpha_h = self.alpha_W if self.alpha_H == "same" else self.alpha_H
        return FactorizationProblem.of(x, beta, self.alpha_W, float(alpha_h), self.l1_ratio)

    def _start(self, table: NonnegativeTable, W: Any, H: Any) -> tuple[Array, Array]:
        """W and F = Hᵀ to start from, given or found."""
        n, p = table.shape
        wanted = p if self.n_components is None else self.n_components
        if self.init == "custom":
            h = custom_factor(H, (wanted, p), "NMF (input H)")
            w = custom_factor(W, (n, wanted if wanted != "auto" else len(h)), "NMF (input W)")
            if not h.dtype == w.dtype == table.dtype:
                raise TypeError(
                    "H and W should have the same dtype as X. Got "
                    f"H.dtype = {h.dtype} and W.dtype = {w.dtype}."
                )
            return np.array(w, np.float64, order="C"), np.array(h.T, np.float64, order="C")
        if W is not None or H is not None:
            warnings.warn(
                "When init!='custom', provided W or H are ignored. Set init='custom' to use them "
                "as initialization.",
                RuntimeWarning,
                stacklevel=4,
            )
        k = p if wanted == "auto" else int(wanted)
        return initial_factors(table, k, self.init, self.random_state)

    def _store(self, problem: FactorizationProblem, w: Array, f: Array) -> Any:
        """Keep H and the certificate; W in the precision of X."""
        kind = problem.table.dtype
        self.components_ = np.ascontiguousarray(f.T).astype(kind, copy=False)
        self.n_components_ = len(self.components_)
        loss = problem.table.divergence(w, f, problem.beta)
        self.reconstruction_err_ = sqrt(2.0 * loss)
        self.certificate_ = FactorizationCertificate.of(problem, w, f, loss)
        return w.astype(kind, copy=False)

    def _warn_unless_converged(self, n_iter: int) -> None:
        if n_iter == self.max_iter and self.tol > 0:
            warnings.warn(
                f"{type(self).__name__}: Maximum number of iterations {self.max_iter} reached. "
                "Increase it to improve convergence.",
                joined(ConvergenceWarning),
                stacklevel=5,
            )


def custom_factor(factor: Any, shape: tuple[Any, Any], whom: str) -> Any:
    """A factor the caller gave, checked; "auto" in `shape` is any size."""
    from stylobate.data import read_table

    if factor is None:
        raise InvalidDataError(f"{whom} is None: with init='custom' both W and H must be given.")
    x = read_table(factor, owner=whom).x
    for axis, word in enumerate(("first", "second")):
        if shape[axis] != "auto" and x.shape[axis] != shape[axis]:
            raise InvalidDataError(
                f"Array with wrong {word} dimension passed to {whom}. Expected {shape[axis]}, but "
                f"got {x.shape[axis]}."
            )
    if x.min() < 0.0:
        raise InvalidDataError(
            f"Negative values in data passed to {whom}: the smallest is {x.min():g}."
        )
    if x.max() == 0.0:
        raise InvalidDataError(f"Array passed to {whom} is full of zeros.")
    return x
