"""Multidimensional scaling of a matrix, as one function."""

from __future__ import annotations

from typing import Any

from stylobate.manifold.scaling.mds import MDS


def smacof(
    dissimilarities: Any,
    *,
    metric: bool = True,
    n_components: int = 2,
    init: Any = None,
    n_init: int = 1,
    n_jobs: int | None = None,
    max_iter: int = 300,
    verbose: int = 0,
    eps: float = 1e-6,
    random_state: Any = None,
    return_n_iter: bool = False,
    normalized_stress: Any = "auto",
    weights: Any = None,
) -> Any:
    """Multidimensional scaling by majorization (SMACOF): the stress falls with every step.

    Parameters
    ----------
    dissimilarities : array-like of shape (n, n)
        Symmetric; NaN where unknown.
    metric : bool, default=True
        False: non-metric scaling.
    n_components : int in [1, inf), default=2
        Dimensions; those of `init` if it is given.
    init : array-like of shape (n, n_components), default=None
        Positions to start from; random ones by default.
    n_init, n_jobs, max_iter, verbose, eps, random_state, normalized_stress
        As for `MDS`.
    return_n_iter : bool, default=False
        Whether to return the number of iterations too.
    weights : array-like of shape (n, n), default=None
        How much each pair counts.

    Returns
    -------
    X : array of shape (n, n_components)
    stress : float
    n_iter : int
        If `return_n_iter`.

    References
    ----------
    De Leeuw & Mair (2009), Multidimensional scaling using majorization: SMACOF in R, Journal of
    Statistical Software 31.

    Examples
    --------
    >>> import numpy as np
    >>> sides = np.array([[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]])
    >>> positions, stress = smacof(sides, random_state=0, eps=1e-12)
    >>> bool(stress < 1e-9)
    True
    """
    model = MDS(
        n_components,
        metric_mds=metric,
        init="random",
        n_init=n_init,
        n_jobs=n_jobs,
        max_iter=max_iter,
        verbose=verbose,
        eps=eps,
        random_state=random_state,
        metric="precomputed",
        normalized_stress=normalized_stress,
        solver="smacof",
    ).fit(dissimilarities, init=init, weights=weights)
    found = model.embedding_, model.stress_
    return (*found, model.n_iter_) if return_n_iter else found
