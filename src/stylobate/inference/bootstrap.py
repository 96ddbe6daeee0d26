"""The bootstrap: of least squares from weighted moments of blocks of rows, of anything by refits.

A bootstrap sample of rows is a vector of counts w, and least squares needs only Σ w z zᵀ of the
rows z = (x, y). All samples together are one product of the matrix of counts with the matrix of
products of columns, block by block of rows: no sample is refitted, and every row is read once.

References
----------
Efron (1979), Annals of Statistics 7; Wu (1986), Annals of Statistics 14 (wild); Cameron, Gelbach &
Miller (2008), Review of Economics and Statistics 90 (clusters).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.inference.covariance.least_squares import group_ways
from stylobate.inference.distributions import check_level
from stylobate.inference.estimates import Estimates

_BLOCK = 2048  # rows whose products are at hand at a time
_AT_ONCE = 2000  # samples whose counts are at hand at a time: 32 MB of a block
KINDS = ("pairs", "wild")


@dataclass(frozen=True, eq=False)
class Bootstrap:
    """Estimates of B samples, and what they say of the estimate itself.

    Parameters
    ----------
    names : tuple of k str
    estimate : (k,) array
        Of all rows.
    samples : (B, k) array
        NaN where a sample does not determine a value.
    kind : str
    """

    names: tuple[str, ...]
    estimate: Array
    samples: Array
    kind: str

    @property
    def complete(self) -> Array:
        """The samples that determine every value."""
        return np.asarray(self.samples[np.isfinite(self.samples).all(axis=1)])

    @property
    def std_error(self) -> Array:
        """Standard deviations of the samples."""
        return np.asarray(self.complete.std(axis=0, ddof=1))

    @property
    def bias(self) -> Array:
        """Mean of the samples less the estimate."""
        return np.asarray(self.complete.mean(axis=0) - self.estimate)

    @property
    def covariance(self) -> Array:
        """Covariance of the samples."""
        return np.atleast_2d(np.cov(self.complete.T))

    def estimates(self) -> Estimates:
        """The estimate with the bootstrap's covariance, for tests."""
        return Estimates(
            self.names, self.estimate, self.covariance, kind=f"bootstrap ({self.kind})"
        )

    def confidence_interval(self, level: float = 0.95, kind: str = "percentile") -> Array:
        """Intervals of each value, (k, 2).

        Parameters
        ----------
        level : float in (0, 1), default=0.95
        kind : {"percentile", "basic", "bias-corrected"}, default="percentile"
            Quantiles of the samples; of twice the estimate less the samples; quantiles moved by the
            share of samples below the estimate.
        """
        check_level(level)
        if kind not in ("percentile", "basic", "bias-corrected"):
            raise InvalidParameterError(
                f"kind must be 'percentile', 'basic' or 'bias-corrected', got {kind!r}."
            )
        tails = np.array([(1.0 - level) / 2.0, (1.0 + level) / 2.0])
        if kind == "bias-corrected":
            return self._bias_corrected(tails)
        ends = np.quantile(self.complete, tails, axis=0).T
        if kind == "basic":
            ends = 2.0 * self.estimate[:, None] - ends[:, ::-1]
        return np.asarray(ends)

    def _bias_corrected(self, tails: Array) -> Array:
        from scipy.special import ndtr, ndtri

        samples = self.complete
        below = (samples < self.estimate).mean(axis=0) + 0.5 * (samples == self.estimate).mean(
            axis=0
        )
        shift = ndtri(np.clip(below, 0.5 / len(samples), 1.0 - 0.5 / len(samples)))
        shares = ndtr(2.0 * shift[:, None] + ndtri(tails))
        pairs = zip(samples.T, shares, strict=True)
        return np.array([np.quantile(column, share) for column, share in pairs])

    def to_dict(self) -> dict[str, Any]:
        """Plain values, without the samples."""
        return {
            "name": list(self.names),
            "estimate": self.estimate.tolist(),
            "std_error": self.std_error.tolist(),
            "bias": self.bias.tolist(),
            "kind": self.kind,
            "n_samples": len(self.samples),
            "n_complete": len(self.complete),
        }

    def __str__(self) -> str:
        from stylobate.inference.summary.text import aligned, number, table

        low, high = (aligned([number(v) for v in s]) for s in self.confidence_interval().T)
        columns = [
            ("estimate", [number(v) for v in self.estimate]),
            ("std error", [number(v, 3) for v in self.std_error]),
            ("bias", [number(v, 3) for v in self.bias]),
            ("95% interval", [f"{a}  {b}" for a, b in zip(low, high, strict=True)]),
        ]
        lost = len(self.samples) - len(self.complete)
        note = f"\n{lost} samples did not determine every value and are left out." if lost else ""
        title = f"Bootstrap ({self.kind}), {len(self.samples)} samples"
        return f"{title}\n{table(self.names, columns, '')}{note}"

    __repr__ = __str__


def _checked(n_samples: Any, kind: str) -> int:
    if not isinstance(n_samples, int | np.integer) or n_samples < 2:
        raise InvalidParameterError(f"n_samples must be a whole number >= 2, got {n_samples!r}.")
    if kind not in KINDS:
        raise InvalidParameterError(f"kind must be 'pairs' or 'wild', got {kind!r}.")
    return int(n_samples)


def bootstrap_least_squares(
    design: Array,
    y: Array,
    names: tuple[str, ...],
    *,
    weights: Array | None = None,
    kind: str = "pairs",
    groups: Any = None,
    n_samples: int = 1000,
    random_state: int | None = None,
) -> Bootstrap:
    """Bootstrap the coefficients of least squares.

    Parameters
    ----------
    design : (n, k) array
        With a column of ones, if there is an intercept.
    y : (n,) array
    names : tuple of k str
    weights : (n,) array, optional
    kind : {"pairs", "wild"}, default="pairs"
        Rows (groups of them, where there are any) drawn with replacement; or residuals with random
        signs (Rademacher's, one for each row or group).
    groups : (n,) array_like, optional
        Clusters that are drawn whole.
    n_samples : int >= 2, default=1000
    random_state : int or None, default=None

    Returns
    -------
    Bootstrap

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> x = np.column_stack([np.ones(200), rng.normal(size=200)])
    >>> found = bootstrap_least_squares(x, x[:, 1] + rng.normal(size=200), ("a", "b"),
    ...                                 random_state=0)
    >>> bool(np.isclose(found.std_error[1], 0.07, atol=0.01))
    True
    """
    n_samples = _checked(n_samples, kind)
    x, target = np.asarray(design, dtype=np.float64), np.asarray(y, dtype=np.float64)
    scale = np.sqrt(np.einsum("ij,ij->j", x, x) / len(x))
    scale[scale == 0] = 1.0
    root = np.ones(len(target)) if weights is None else np.sqrt(weights)
    z = x / scale * root[:, None]
    t = target * root
    codes = None if groups is None else group_ways(groups, len(t), weights)[0]
    if codes is not None and len(codes) > 1:
        raise InvalidParameterError("The bootstrap draws one column of groups.")
    rng = np.random.default_rng(random_state)
    one_way = None if codes is None else codes[0]
    gram, moment = z.T @ z, z.T @ t
    estimate = _solve(gram[None], moment[None])[0]
    if kind == "wild":
        samples = estimate + _wild(z, t - z @ estimate, gram, one_way, n_samples, rng)
    else:
        samples = _pairs(z, t, estimate, one_way, n_samples, rng)
    label = kind if groups is None else f"{kind}, {int(codes[0].max()) + 1} groups" if codes else ""
    return Bootstrap(names, estimate / scale, samples / scale, label)


def _solve(grams: Array, moments: Array) -> Array:
    """Coefficients of each Gram; NaN where it is singular."""
    try:
        found = np.linalg.solve(grams, moments[..., None])[..., 0]
    except np.linalg.LinAlgError:
        found = np.full(moments.shape, np.nan)
        for i, (gram, moment) in enumerate(zip(grams, moments, strict=True)):
            try:
                found[i] = np.linalg.solve(gram, moment)
            except np.linalg.LinAlgError:
                continue
    diagonal = np.sqrt(np.maximum(np.einsum("ijj->ij", grams), 1e-300))
    scaled = grams / (diagonal[:, :, None] * diagonal[:, None, :])
    singular = np.linalg.eigvalsh(scaled)[:, 0] < 1e-13 * grams.shape[1]
    found[singular] = np.nan
    return np.asarray(found)


def _pairs(
    z: Array, t: Array, estimate: Array, codes: Indices | None, n_samples: int, rng: Any
) -> Array:
    """Coefficients of every sample, as changes from the fit: moments of residuals, not of y."""
    n, k = z.shape
    upper = np.triu_indices(k)
    e = t - z @ estimate
    found = np.empty((n_samples, k))
    for start in range(0, n_samples, _AT_ONCE):
        stop = min(start + _AT_ONCE, n_samples)
        totals = np.zeros((stop - start, len(upper[0]) + k))
        for counts, rows in _draws(n, codes, stop - start, rng):
            part, rest = z[rows], e[rows]
            products = np.hstack([part[:, upper[0]] * part[:, upper[1]], part * rest[:, None]])
            if codes is not None:
                products = _group_sums(products, codes[rows])
            totals += counts @ products
        grams = np.empty((stop - start, k, k))
        grams[:, upper[0], upper[1]] = totals[:, : len(upper[0])]
        grams[:, upper[1], upper[0]] = totals[:, : len(upper[0])]
        found[start:stop] = estimate + _solve(grams, totals[:, len(upper[0]) :])
    return found


def _draws(n: int, codes: Indices | None, n_samples: int, rng: Any) -> Iterator[tuple[Array, Any]]:
    """Counts (B, rows) of a multinomial sample, a block of rows at a time."""
    if codes is not None:
        groups = int(codes.max()) + 1
        counts = np.stack([
            np.bincount(rng.integers(0, groups, groups), minlength=groups)
            for _ in range(n_samples)
        ])  # fmt: skip
        order = np.argsort(codes, kind="stable")
        order = order[np.searchsorted(codes[order], 0) :]
        sorted_codes, place = codes[order], 0
        while place < len(order):
            last = sorted_codes[min(place + _BLOCK, len(order)) - 1]
            stop = int(np.searchsorted(sorted_codes, last, side="right"))
            rows = order[place:stop]
            yield counts[:, codes[rows[0]] : last + 1].astype(np.float64), rows
            place = stop
        return
    starts = np.arange(0, n, _BLOCK)
    sizes = np.diff(np.append(starts, n))
    shares = rng.multinomial(n, sizes / n, size=n_samples)  # how many rows each block gives
    for j, (start, size) in enumerate(zip(starts, sizes, strict=True)):
        drawn = rng.integers(0, size, int(shares[:, j].sum()), dtype=np.int64)
        drawn += np.repeat(np.arange(n_samples) * size, shares[:, j])
        counts = np.bincount(drawn, minlength=n_samples * size)
        yield (
            counts.reshape(n_samples, size).astype(np.float64),
            slice(int(start), int(start + size)),
        )


def _group_sums(products: Array, codes: Indices) -> Array:
    """Sums over the rows of each group; codes are in order, every one present."""
    starts = np.flatnonzero(np.r_[True, codes[1:] != codes[:-1]])
    return np.asarray(np.add.reduceat(products, starts, axis=0))


def _wild(
    z: Array, e: Array, gram: Array, codes: Indices | None, n_samples: int, rng: Any
) -> Array:
    """Changes of the coefficients where residuals change sign at random."""
    scores = z * e[:, None]
    if codes is not None:
        order = np.argsort(codes, kind="stable")
        order = order[np.searchsorted(codes[order], 0) :]
        scores = _group_sums(scores[order], codes[order])
    change = np.zeros((n_samples, z.shape[1]))
    for start in range(0, len(scores), _BLOCK):
        part = scores[start : start + _BLOCK]
        signs = rng.integers(0, 2, (n_samples, len(part)), dtype=np.int8) * 2.0 - 1.0
        change += signs @ part
    return _solve(np.broadcast_to(gram, (1, *gram.shape)), np.zeros((1, len(gram)))) + np.asarray(
        np.linalg.solve(gram, change.T).T
    )


def bootstrap(
    statistic: Callable[[Indices], Any],
    n_rows: int,
    *,
    names: tuple[str, ...] | None = None,
    groups: Any = None,
    n_samples: int = 1000,
    random_state: int | None = None,
) -> Bootstrap:
    """Bootstrap anything that is computed from rows, by computing it again.

    Parameters
    ----------
    statistic : callable
        ``statistic(rows)``: a number or a vector from the rows of these indices (with repetition),
        such as the coefficients of an estimator fitted to them.
    n_rows : int
    names : tuple of str, optional
    groups : (n,) array_like, optional
        Clusters that are drawn whole.
    n_samples : int >= 2, default=1000
    random_state : int or None, default=None
        Each sample has a generator of its own.

    Returns
    -------
    Bootstrap

    Examples
    --------
    >>> x = np.arange(50.0)
    >>> found = bootstrap(lambda rows: np.median(x[rows]), 50, n_samples=200, random_state=0)
    >>> bool(2.0 < found.std_error[0] < 5.0)
    True
    """
    n_samples = _checked(n_samples, "pairs")
    codes = None if groups is None else group_ways(groups, n_rows, None)[0][0]
    members = None
    if codes is not None:
        order = np.argsort(codes, kind="stable")
        members = np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)
    estimate = np.atleast_1d(np.asarray(statistic(np.arange(n_rows)), dtype=np.float64))
    if estimate.ndim != 1:
        raise InvalidDataError(
            f"statistic must return a number or a vector, got shape {estimate.shape}."
        )
    samples = np.empty((n_samples, len(estimate)))
    seeds = np.random.SeedSequence(random_state).spawn(n_samples)
    for i, seed in enumerate(seeds):
        rng = np.random.default_rng(seed)
        if members is None:
            rows = rng.integers(0, n_rows, n_rows)
        else:
            drawn = rng.integers(0, len(members), len(members))
            rows = np.concatenate([members[g] for g in drawn])
        samples[i] = statistic(rows)
    labels = tuple(f"value {j}" for j in range(len(estimate))) if names is None else names
    kind = "pairs" if members is None else f"pairs, {len(members)} groups"
    return Bootstrap(labels, estimate, samples, kind)
