"""`LabelSpreading`: labels travel, and even known ones give way a little."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base import Interval
from stylobate.semi_supervised import travelling_labels as t
from stylobate.semi_supervised.graphs import normalized_adjacency


class LabelSpreading(t.TravellingLabels):
    r"""Labels for rows without one, where known labels may be wrong, too.

    Each step takes the share α of a row's distribution from its neighbours and the rest from its
    own label: :math:`F \leftarrow α S F + (1 - α) Y` with :math:`S = D^{-1/2} W D^{-1/2}`. At rest,

    .. math:: F = (1 - α)(I - α S)^{-1} Y,

    and rows of F are divided by their sums.

    Parameters
    ----------
    kernel : {"rbf", "knn"} or callable, default="rbf"
        Weights: :math:`e^{-γ\|x - x'\|^2}`; 1 for nearest neighbours; or a function of two tables
        that gives the weights of all pairs, dense or sparse.
    gamma : float in [0, inf), default=20
        Of "rbf". The default is for columns of about unit scale: scale them first.
    n_neighbors : int in [1, inf), default=7
        Of "knn", each row itself counted.
    alpha : float in (0, 1), default=0.2
        What neighbours decide: near 0 labels stay as they are, near 1 they are forgotten.
    max_iter : int in [1, inf), default=30
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
        The share of each class for each row; zeros where no label has arrived.
    transduction_ : array of shape (n,)
        The label of each row.
    n_iter_ : int
        Steps taken.
    residual_ : float
        The sum of all changes in the last step; α/(1 − α) times it is about what is left to go.
    n_features_in_, feature_names_in_
        As in scikit-learn.

    See Also
    --------
    LabelPropagation : Known labels are kept.

    Examples
    --------
    The third row says 1 among rows that say 0, and is outvoted:

    >>> from stylobate.semi_supervised import LabelSpreading
    >>> x = [[0.0], [0.1], [0.2], [0.3], [2.0], [2.1]]
    >>> y = [0, 0, 1, 0, -1, 1]
    >>> LabelSpreading(alpha=0.9, max_iter=200).fit(x, y).transduction_
    array([0, 0, 0, 0, 1, 1])

    References
    ----------
    Zhou, Bousquet, Lal, Weston & Schölkopf (2004), Learning with local and global consistency,
    NIPS.
    """

    def __init__(
        self,
        kernel: t.KernelChoice = "rbf",
        *,
        gamma: t.Gamma = 20,
        n_neighbors: t.Neighbors = 7,
        alpha: Annotated[float, Interval(0, 1, closed="neither")] = 0.2,
        max_iter: t.MaxIter = 30,
        tol: t.Tolerance = 1e-3,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.n_neighbors = n_neighbors
        self.alpha = alpha
        self.max_iter = max_iter
        self.tol = tol
        self.n_jobs = n_jobs

    def _build_graph(self) -> Any:
        return normalized_adjacency(self._weights())

    def _step(self, known: Array) -> Callable[[Any, Array], Array]:
        alpha = float(self.alpha)
        own = (1.0 - alpha) * known

        def step(graph: Any, now: Array) -> Array:
            return alpha * np.asarray(graph @ now) + own

        return step
