"""How many principal components to keep: every rule in one report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.base.randomness import seed_of
from stylobate.data import read_table
from stylobate.decomposition.dimension import components_for_share, minka_evidence
from stylobate.decomposition.held_out_cells import held_out_errors
from stylobate.decomposition.parallel_analysis import unrelated_variances
from stylobate.exceptions import InvalidParameterError, UnsupportedDataError
from stylobate.interrupts import interruptible
from stylobate.statistics import Moments

MOST_COLUMNS = 3000
_ROW_PARTS, _COLUMN_PARTS, _QUANTILE = 5, 4, 0.95


@dataclass(frozen=True, slots=True, eq=False)
class ComponentChoice:
    """What each rule says about the number of components.

    Parameters
    ----------
    variances : array of shape (m,)
        Of all components, the largest first.
    n_rows, n_columns : int
    share_80, share_90, share_95 : int
        The fewest components that explain more than this part of the variance.
    elbow : int
        Where the scree is farthest below the line from its first to its last point.
    parallel : int
        Leading components that vary more than 95 % of those of unrelated columns.
    unrelated_low, unrelated_median, unrelated_high : arrays of shape (m,)
        Quantiles 5, 50 and 95 % of the variances for unrelated columns.
    variances_low, variances_high : arrays of shape (m,)
        95 % intervals of the variances, for normal rows (Anderson 1963).
    cross_validation : int
        Fewest components that predict held-out cells within one standard error of the best.
    held_out, held_out_error : arrays
        Mean squared error of held-out cells for 0, 1, … components, and the standard error of its
        difference to the best.
    minka : int or None
        The largest evidence by Minka's approximation; None with fewer rows than columns.
    bic : int or None
        The smallest BIC of probabilistic PCA; None with fewer rows than columns.
    bics : array
        Of 0, 1, … components.

    Examples
    --------
    >>> import numpy as np
    >>> draws = np.random.default_rng(0)
    >>> x = draws.normal(size=(400, 3)) @ draws.normal(size=(3, 12))
    >>> found = choose_n_components(x + 0.5 * draws.normal(size=x.shape), random_state=0)
    >>> found.choice, found.parallel, found.minka, found.bic
    (3, 3, 3, 3)
    """

    variances: Array
    n_rows: int
    n_columns: int
    share_80: int
    share_90: int
    share_95: int
    elbow: int
    parallel: int
    unrelated_low: Array
    unrelated_median: Array
    unrelated_high: Array
    variances_low: Array
    variances_high: Array
    cross_validation: int
    held_out: Array
    held_out_error: Array
    minka: int | None
    bic: int | None
    bics: Array

    @property
    def choice(self) -> int:
        """What cross-validation says: the one rule that asks what the components are good for."""
        return self.cross_validation

    @property
    def sentence(self) -> str:
        """The choice in words."""
        k, p = self.choice, self.n_columns
        others = [("parallel analysis", self.parallel), ("Minka's evidence", self.minka)]
        others += [("BIC", self.bic), ("the elbow", self.elbow)]
        said = ", ".join(f"{name} says {value}" for name, value in others if value is not None)
        if k == 0:
            return (
                f"Keep none of {p}: no component helps to predict a held-out cell from the other "
                f"columns; {said}."
            )
        less = 1.0 - self.held_out[k] / self.held_out[0]
        share = float(self.variances[:k].sum() / self.variances.sum())
        return (
            f"Keep {k} of {p}: {'they predict' if k > 1 else 'it predicts'} held-out cells with "
            f"{less:.0%} less squared error than the means, and more components do not help; "
            f"{'they explain' if k > 1 else 'it explains'} {share:.0%} of the variance; {said}."
        )

    def __str__(self) -> str:
        rows = [
            ("cross-validation on held-out cells", self.cross_validation),
            ("parallel analysis", self.parallel),
            ("Minka's evidence", self.minka),
            ("BIC of probabilistic PCA", self.bic),
            ("elbow of the scree", self.elbow),
            ("80 % of the variance", self.share_80),
            ("90 % of the variance", self.share_90),
            ("95 % of the variance", self.share_95),
        ]
        lines = [f"{name:36} {'–' if value is None else value:>5}" for name, value in rows]
        return "\n".join([self.sentence, "", *lines])

    def plot(self, *, axes: Any = None) -> Any:
        """The scree beside that of unrelated columns, and the errors of held-out cells.

        Parameters
        ----------
        axes : two matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        array of two matplotlib Axes
        """
        from stylobate.plot.reduction.components import plot_component_choice

        return plot_component_choice(self, axes=axes)


def choose_n_components(
    X: Any, *, n_simulations: int = 100, random_state: Any = None
) -> ComponentChoice:
    """Say how many principal components of a table are worth keeping, by every rule at once.

    The rows are read once; all rules work on their moments.

    Parameters
    ----------
    X : array-like, sparse or data frame of shape (n, n_features)
        Rows, at least 10, of 2 to 3000 columns. Columns of other units should be scaled before.
    n_simulations : int in [20, inf), default=100
        Draws of the parallel analysis.
    random_state : int, RandomState or None, default=None
        Seed of the draws and of the parts of rows and columns.

    Returns
    -------
    ComponentChoice

    Examples
    --------
    >>> from stylobate.datasets import load_wine
    >>> from stylobate.preprocessing import StandardScaler
    >>> x = StandardScaler().fit_transform(load_wine().data)
    >>> print(choose_n_components(x, random_state=0).parallel)
    3
    """
    owner = "choose_n_components"
    if not isinstance(n_simulations, int | np.integer) or n_simulations < 20:
        raise InvalidParameterError(
            f"{owner}: n_simulations must be an integer of at least 20, got {n_simulations!r}."
        )
    table = read_table(X, owner=owner, accept_sparse=True)
    n, p = table.x.shape
    if n < 2 * _ROW_PARTS or not 2 <= p <= MOST_COLUMNS:
        raise UnsupportedDataError(
            f"{owner} needs at least {2 * _ROW_PARTS} rows and 2 to {MOST_COLUMNS} columns, got "
            f"{n} rows of {p} columns."
        )
    seed = seed_of(random_state) % 2**32
    draws = np.random.RandomState(seed)
    parts = np.array_split(draws.permutation(n), _ROW_PARTS)
    moments = list(Moments.of_parts(table, [np.sort(part) for part in parts]))
    columns = np.array_split(draws.permutation(p), min(_COLUMN_PARTS, p))
    return _report(moments, columns, n_simulations, seed)


def _report(parts: list[Moments], columns: Any, n_simulations: int, seed: int) -> ComponentChoice:
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.merge(part)
    n, p = whole.n_rows, whole.n_features
    covariance = whole.xx / (n - 1)
    m = min(n - 1, p)
    variances = np.maximum(interruptible(np.linalg.eigvalsh, covariance)[::-1][:m], 0.0)
    total = float(variances.sum())
    if total <= 0.0:
        raise UnsupportedDataError("choose_n_components: all rows are the same; nothing varies.")
    null = unrelated_variances(np.diag(covariance), n, m, n_simulations, seed)
    low, median, high = np.quantile(null, [1 - _QUANTILE, 0.5, _QUANTILE], axis=0)
    below = np.flatnonzero(variances <= high)
    errors, spread = held_out_errors(parts, columns, min(m, p - max(map(len, columns))))
    best = int(np.argmin(errors))
    within = np.flatnonzero(errors <= errors[best] + spread)
    bics = _bics(variances * (n - 1) / n, n) if n > p else np.empty(0)
    evidence = minka_evidence(variances, n) if n > p else np.empty(0)
    share = {k: components_for_share(variances, total, k / 100) for k in (80, 90, 95)}
    wide = 1.96 * np.sqrt(2.0 / n)
    return ComponentChoice(
        variances, n, p, share[80], share[90], share[95], _elbow(variances),
        int(below[0]) if len(below) else m, low, median, high,
        variances / (1.0 + wide), variances / max(1.0 - wide, 1e-3),
        int(within[0]), errors, spread,
        int(np.argmax(evidence)) if len(evidence) else None,
        int(np.argmin(bics)) if len(bics) else None, bics,
    )  # fmt: skip


def _elbow(variances: Array) -> int:
    """Components before the point of the scree that lies farthest below its chord."""
    m = len(variances)
    if m < 3:
        return 1
    at = np.linspace(0.0, 1.0, m)
    chord = variances[0] + at * (variances[-1] - variances[0])
    return max(int(np.argmax(chord - variances)), 1)


def _bics(variances: Array, n: int) -> Array:
    r"""BIC of probabilistic PCA for 0, 1, …, p − 1 components (the smaller the better)."""
    p = len(variances)
    least = 1e-15 * max(float(variances[0]), np.finfo(float).tiny)
    k = np.arange(p)
    logs = np.concatenate([[0.0], np.cumsum(np.log(np.maximum(variances, least)))[:-1]])
    left = np.cumsum(variances[::-1])[::-1]
    noise = np.maximum(left / (p - k), least)
    likelihood = -0.5 * n * (p * np.log(2 * np.pi) + logs + (p - k) * np.log(noise) + p)
    parameters = p * k - k * (k - 1) / 2.0 + 1 + p
    return np.asarray(-2.0 * likelihood + parameters * np.log(n))
