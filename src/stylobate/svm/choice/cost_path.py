"""Support vector classification along many costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.certificate import Certificate
from stylobate.svm.kernel_matrix.kernel_points import with_matrix
from stylobate.svm.machines.machine import Machine
from stylobate.svm.machines.one_vs_one import PairProblems, class_pairs
from stylobate.svm.machines.svc import SVC


@dataclass(frozen=True, slots=True, eq=False)
class SVCPath:
    """The machines of all costs; row i of every array belongs to ``Cs[i]``.

    Attributes
    ----------
    Cs : array of shape (n_Cs,)
        The costs, ascending.
    models : tuple of SVC
        The fitted machine of each cost.
    coefs : array of shape (n_Cs, n_classes − 1, n)
        Dual coefficients of all rows, laid out as `SVC.dual_coef_`: 0 for rows that are no support
        vectors.
    intercepts : array of shape (n_Cs, n_pairs)
        b of each pair of classes.
    n_support : array of int of shape (n_Cs, n_classes)
        Support vectors of each class.
    n_bound : array of int of shape (n_Cs, n_pairs)
        Points at their bound: inside the margin or on the wrong side.
    margins : array of shape (n_Cs, n_pairs)
        Widths 2/‖w‖.
    n_iter : array of int of shape (n_Cs, n_pairs)
        Steps of the solver, each cost starting from the solution of the one before.
    certificates : tuple of Certificate
        Primal, dual and gap, of the worst pair.
    """

    Cs: Array
    models: tuple[SVC, ...]
    coefs: Array
    intercepts: Array
    n_support: NDArray[np.int32]
    n_bound: NDArray[np.int64]
    margins: Array
    n_iter: NDArray[np.int32]
    certificates: tuple[Certificate, ...]

    def plot(self, ax: Any = None) -> Any:
        """Support vectors, those at their bound and the margin against the cost.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to draw; None: a new figure.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_cost_path

        return plot_cost_path(self, ax=ax)


def svc_path(X: Any, y: Any, Cs: Any = 10, *, sample_weight: Any = None, **options: Any) -> SVCPath:
    r"""Fit `SVC` at every cost of a path, each from the solution of the one before.

    The kernel matrix is computed once where it fits into `cache_size`. A machine starts from the
    best multiple of the last coefficients within the new bounds, so that points at their bound stay
    there.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows; for ``kernel="precomputed"`` the kernel matrix.
    y : array-like of shape (n,)
        Labels.
    Cs : int in [1, inf) or array-like of numbers in (0, inf), default=10
        The costs; a number gives that many from 1e-2 to 1e4, evenly by logarithm.
    sample_weight : array-like of shape (n,), default=None
        Factors of C.
    **options : object
        Parameters of `SVC` other than C and probability.

    Returns
    -------
    SVCPath

    Examples
    --------
    >>> X = [[-2, -1], [-1, -1], [-1, -2], [1, 1], [1, 2], [2, 1]]
    >>> path = svc_path(X, [0, 0, 0, 1, 1, 1], [0.01, 0.1, 1.0], kernel="linear")
    >>> path.n_support.sum(axis=1), path.margins[:, 0].round(2)
    (array([6, 4, 2]), array([17.68,  4.24,  2.83]))

    References
    ----------
    Hastie, Rosset, Tibshirani & Zhu (2004), The entire regularization path for the support vector
    machine, JMLR 5. DeCoste & Wagstaff (2000), Alpha seeding for support vector machines, KDD.
    """
    for name in ("C", "probability"):
        if name in options:
            raise InvalidParameterError(
                f"svc_path: {name} is no option of a path; give the costs as Cs, and calibrate the "
                "model you choose."
            )
    costs = costs_of(Cs, "svc_path")
    models, problems = [], None
    machines: list[list[Machine]] = []
    for place, cost in enumerate(costs):
        model = SVC(C=float(cost), **options)
        model._check_parameters()
        asked = model._pair_problems(X, y, sample_weight)
        if problems is None:
            points = with_matrix(asked.points, model.cache_size)
            problems = PairProblems(points, asked.codes, asked.weights, asked.rows)
        before = machines[-1] if machines else None
        machines.append(_machines(model, problems, before, cost / costs[max(place - 1, 0)]))
        model._keep(asked, machines[-1])
        models.append(model)
    return _collected(costs, models, machines)


def costs_of(Cs: Any, owner: str) -> Array:
    """The costs of a path, ascending: a number of them, or what is given."""
    if np.ndim(Cs) == 0:
        if isinstance(Cs, bool) or int(Cs) != Cs or Cs < 1:
            raise InvalidParameterError(
                f"{owner}: Cs must be a positive number of costs or a list of them, got {Cs!r}."
            )
        return np.geomspace(1e-2, 1e4, int(Cs)) if Cs > 1 else np.ones(1)
    costs = np.unique(np.asarray(Cs, dtype=np.float64))
    if not len(costs) or not (costs > 0.0).all() or not np.isfinite(costs).all():
        raise InvalidParameterError(
            f"{owner}: every cost of Cs must be a finite number above 0, got {Cs!r}."
        )
    return costs


def _machines(
    model: SVC, asked: PairProblems, before: list[Machine] | None, ratio: float
) -> list[Machine]:
    """The machines of all pairs at one cost, from those of the cost before."""
    found = []
    for place, (pair, own) in enumerate(
        zip(class_pairs(len(model.classes_)), asked.rows, strict=True)
    ):
        start = None
        if before is not None:
            last = before[place]
            target = model._signs(pair, asked.codes[own])
            start = scaled_start(target, last.beta, last.scores, ratio)
        found.append(
            model._pair_machine(asked.points, pair, own, asked.codes, asked.weights, start)
        )
    return found


def scaled_start(target: Array, beta: Array, scores: Array, ratio: float) -> Array:
    r"""The best multiple of β within bounds that grow by a factor.

    Along sβ the dual is :math:`s\,t^Tβ - \tfrac12 s^2 β^TKβ`, and what was at its bound stays there
    at s = ratio: the start is at the smaller of the ratio and the maximum.

    >>> beta, scores = np.array([1.0, -1.0]), np.array([0.2, -0.2])
    >>> scaled_start(np.array([1.0, -1.0]), beta, scores, 10.0)
    array([ 5., -5.])
    """
    square = float((beta * scores).sum())
    linear = float((target * beta).sum())
    if linear >= ratio * square:  # also where the dual does not bend down at all
        return np.asarray((ratio if linear > 0.0 else 0.0) * beta)
    return np.asarray(max(linear / square, 0.0) * beta)


def _collected(costs: Array, models: list[SVC], machines: list[list[Machine]]) -> SVCPath:
    n, k = models[0].shape_fit_[0], len(models[0].classes_)
    coefs = np.zeros((len(costs), k - 1, n))
    for place, model in enumerate(models):
        coefs[place][:, model.support_] = model._dense_coefficients()
    conditions = [[machine.conditions for machine in line] for line in machines]
    return SVCPath(
        costs,
        tuple(models),
        coefs,
        np.stack([model.intercept_ for model in models]),
        np.stack([model.n_support_ for model in models]),
        np.array([[len(each.bound) for each in line] for line in conditions]),
        np.array([[each.margin_width for each in line] for line in conditions]),
        np.stack([model.n_iter_ for model in models]),
        tuple(model.certificate_ for model in models),
    )
