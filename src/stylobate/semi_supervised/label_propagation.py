"""`LabelPropagation`: labels travel as a random walk does, known ones stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.semi_supervised import travelling_labels as t
from stylobate.semi_supervised.graphs import transition_matrix


class LabelPropagation(t.TravellingLabels):
    r"""Labels for rows without one, from labelled rows that can be reached through others.

    With the weights W of pairs of rows, each step replaces the distribution of a row without label
    by the mean of all rows', weighted; rows with a label keep it. At rest,

    .. math:: F_u = (I - T_{uu})^{-1} T_{ul} Y_l,\qquad T = D^{-1} W:

    :math:`F_{ic}` is the chance that a random walk from row i first meets a label of class c.

    Parameters
    ----------
    kernel : {"rbf", "knn"} or callable, default="rbf"
        Weights: :math:`e^{-γ\|x - x'\|^2}`; 1 for nearest neighbours; or a function of two tables
        that gives the weights of all pairs, dense or sparse.
    gamma : float in [0, inf), default=20
        Of "rbf". The default is for columns of about unit scale: scale them first.
    n_neighbors : int in [1, inf), default=7
        Of "knn", each row itself counted.
    max_iter : int in [1, inf), default=1000
        Steps at most.
    tol : float in [0, inf), default=1e-3
        The sum of all changes in a step at which to stop.
    n_jobs : int or None, default=None
        Accepted for compatibility; the threads are those of `stylobate.set_threads`.

    Attributes
    ----------
    X_ : array or csr_array of shape (n, n_features)
        The rows.
    classes_ : array of shape (n_classes,)
        The labels, sorted, without -1.
    label_distributions_ : array of shape (n, n_classes)
        The chance of each class for each row; zeros where no label has arrived.
    transduction_ : array of shape (n,)
        The label of each row.
    n_iter_ : int
        Steps taken.
    residual_ : float
        The sum of all changes in the last step.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    LabelSpreading : Known labels may be wrong, too.

    Examples
    --------
    A chain of rows between two labels:

    >>> from stylobate.semi_supervised import LabelPropagation
    >>> x = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> model = LabelPropagation(gamma=1.0, tol=1e-9).fit(x, [0, -1, -1, -1, -1, 1])
    >>> model.transduction_
    array([0, 0, 0, 1, 1, 1])
    >>> model.label_distributions_[:, 1].round(2)
    array([0.  , 0.21, 0.4 , 0.6 , 0.79, 1.  ])

    References
    ----------
    Zhu & Ghahramani (2002), Learning from labeled and unlabeled data with label propagation,
    CMU-CALD-02-107.
    """

    def __init__(
        self,
        kernel: t.KernelChoice = "rbf",
        *,
        gamma: t.Gamma = 20,
        n_neighbors: t.Neighbors = 7,
        max_iter: t.MaxIter = 1000,
        tol: t.Tolerance = 1e-3,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _build_graph(self) -> Any:
        return transition_matrix(self._weights())

    def _step(self, known: Array) -> Callable[[Any, Array], Array]:
        labelled = known.any(axis=1, keepdims=True)

        def step(graph: Any, now: Array) -> Array:
            return np.where(labelled, known, t.shares(np.asarray(graph @ now)))

        return step
