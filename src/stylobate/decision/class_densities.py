"""Classes with known densities: p(x | c) and the prior probabilities of the classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.decision.quadrature import integrate
from stylobate.decision.reading import as_floats
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.splits.splitter import generator

_SLACK = 1e-6
_TAIL = 1e-13  # probability beyond the ends of the range looked at


class ClassDensities:
    """A joint distribution p(x, c) = p(c) p(x | c) of points and classes.

    Parameters
    ----------
    densities : mapping from class to density, or sequence of densities
        Distributions of `scipy.stats` with their parameters, or functions that give p(x | c).
    priors : array-like of shape (n_classes,) or mapping, optional
        p(c), of sum 1; equal by default.
    classes : sequence of labels, optional
        Of a sequence of densities; 0, 1, … by default.
    support : pair of numbers, or of shape (dimension, 2), optional
        Where functions are to be integrated; distributions know it.
    dimension : int >= 1, optional
        Of the points; told by distributions and by `support`, else 1.

    Attributes
    ----------
    classes : array of labels
    priors : array of shape (n_classes,)
    dimension : int

    Examples
    --------
    >>> from scipy.stats import norm
    >>> model = ClassDensities({"low": norm(0, 1), "high": norm(2, 1)}, priors=[0.5, 0.5])
    >>> model.posterior([1.0, 3.0]).round(3)
    array([[0.5  , 0.5  ],
           [0.018, 0.982]])
    """

    def __init__(
        self,
        densities: Any,
        priors: Any = None,
        *,
        classes: Any = None,
        support: Any = None,
        dimension: int | None = None,
    ) -> None:
        if isinstance(densities, Mapping):
            classes = list(densities) if classes is None else list(classes)
            densities = [densities[label] for label in classes]
        if not isinstance(densities, Iterable):
            raise InvalidParameterError(
                "ClassDensities: densities must be a mapping or a sequence with one for each "
                f"class, such as [norm(0, 1), norm(2, 1)], got {type(densities).__name__}."
            )
        self.densities = list(densities)
        count = len(self.densities)
        if count < 2:
            raise InvalidDataError(f"ClassDensities: needs at least two classes, got {count}.")
        for place, each in enumerate(self.densities):
            if hasattr(each, "pmf") and not hasattr(each, "pdf"):
                raise InvalidParameterError(
                    f"ClassDensities: the law of class {place} is discrete, it has probabilities "
                    "and no density; put them into a JointTable and ask best_predictor for the "
                    "rule."
                )
            if not (hasattr(each, "pdf") or callable(each)):
                raise InvalidParameterError(
                    f"ClassDensities: density {place} must be a distribution of scipy.stats or a "
                    f"function, got {each!r}."
                )
        self.classes = np.asarray(np.arange(count) if classes is None else list(classes))
        if len(self.classes) != count or len(set(self.classes.tolist())) != count:
            raise InvalidDataError(
                f"ClassDensities: {count} densities need as many different classes, got "
                f"{self.classes.tolist()!r}."
            )
        self.priors = read_priors(priors, self.classes, "ClassDensities")
        self._support = None if support is None else np.asarray(support, dtype=np.float64)
        self.dimension = self._told_dimension() if dimension is None else int(dimension)
        if self.dimension == 1:
            self._refuse_unnormalised()

    def log_joint(self, points: Any) -> Array:
        """Log p(c) p(x | c) of each point (row) and class (column)."""
        at = self.points(points)
        with np.errstate(divide="ignore"):
            columns = [
                np.log(prior) + _log_density(density, at)
                for prior, density in zip(self.priors, self.densities, strict=True)
            ]
        return np.column_stack(columns)

    def posterior(self, points: Any) -> Array:
        """p(c | x); the priors where no class has any density."""
        joint = self.log_joint(points)
        most = joint.max(axis=1, keepdims=True)
        nowhere = ~np.isfinite(most[:, 0])
        most[nowhere] = 0.0
        shares = np.exp(joint - most)
        shares[nowhere] = self.priors
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def points(self, points: Any) -> Array:
        """Points as an array of shape (n,), or (n, dimension)."""
        at = as_floats(points, "ClassDensities", "points")
        if self.dimension == 1:
            if at.ndim == 2 and at.shape[1] == 1:
                at = at[:, 0]
            at = at.reshape(1) if at.ndim == 0 else at
        elif at.ndim == 1 and len(at) == self.dimension:
            at = at[None, :]
        expected = (len(at),) if self.dimension == 1 else (len(at), self.dimension)
        if at.shape != expected or np.isnan(at).any():
            raise InvalidDataError(
                f"ClassDensities: points must be numbers (not NaN) of shape (n,"
                f"{'' if self.dimension == 1 else f' {self.dimension}'}), got shape {at.shape}."
            )
        return at

    def sample(self, n: int, random_state: Any = None) -> tuple[Array, NDArray[Any]]:
        """Draw n points and their classes; for distributions that can be drawn from."""
        if not all(hasattr(each, "rvs") for each in self.densities):
            raise InvalidParameterError(
                "ClassDensities: functions cannot be drawn from; give distributions with rvs, "
                "such as those of scipy.stats."
            )
        draw = generator(random_state)
        codes = draw.choice(len(self.classes), size=n, p=self.priors / self.priors.sum())
        shape = (n,) if self.dimension == 1 else (n, self.dimension)
        found = np.empty(shape)
        for code, density in enumerate(self.densities):
            mine = codes == code
            drawn = density.rvs(size=int(mine.sum()), random_state=draw)
            found[mine] = np.reshape(drawn, (-1, *shape[1:]))
        return found, self.classes[codes]

    def grid(self, count: int = 400) -> Array:
        """Points of the line that follow the densities: quantiles of every class, or even steps."""
        if all(hasattr(each, "ppf") for each in self.densities):
            spread = 1.0 / (1.0 + np.exp(-np.linspace(np.log(_TAIL), -np.log(_TAIL), count)))
            found = np.concatenate([each.ppf(spread) for each in self.densities])
            low, high = float(found.min()), float(found.max())
            between = np.linspace(low, high, count)
            return np.unique(np.concatenate([found, between, self._far_out(low, high)]))
        low, high = self.box()[0]
        return np.linspace(low, high, 4 * count + 1)

    def _far_out(self, low: float, high: float) -> Array:
        """Points beyond the quantiles where some class goes on: a wide class wins in the end."""
        steps = (high - low) * np.geomspace(1e-2, 1e1, 60)
        least, most = zip(*(each.support() for each in self.densities), strict=True)
        below = low - steps if np.isneginf(min(least)) else steps[:0]
        above = high + steps if np.isposinf(max(most)) else steps[:0]
        return np.concatenate([below, above])

    def box(self) -> Array:
        """Finite bounds of each coordinate, with nearly all probability inside."""
        if self._support is not None:
            return self._support.reshape(self.dimension, 2)
        bounds = [_bounds(each, self.dimension) for each in self.densities]
        lows, highs = zip(*bounds, strict=True)
        return np.column_stack([np.min(lows, axis=0), np.max(highs, axis=0)])

    def _told_dimension(self) -> int:
        if self._support is not None and self._support.ndim == 2:
            return len(self._support)
        return max(int(getattr(each, "dim", 1)) for each in self.densities)

    def _refuse_unnormalised(self) -> None:
        for label, density in zip(self.classes.tolist(), self.densities, strict=True):
            if hasattr(density, "pdf"):
                continue
            if self._support is None or not np.isfinite(self._support).all():
                raise InvalidParameterError(
                    f"ClassDensities: the density of class {label!r} is a function; tell by "
                    "support=(low, high), both finite, where it is to be integrated."
                )
            low, high = self.box()[0]
            mass, _ = integrate(lambda x, d=density: _density(d, x), np.linspace(low, high, 65))  # type: ignore[misc]
            if abs(mass - 1.0) > 1e-4:
                raise InvalidDataError(
                    f"ClassDensities: the density of class {label!r} integrates to {mass:.6g} over "
                    f"[{low:g}, {high:g}]; it must integrate to 1."
                )

    def __repr__(self) -> str:
        shares = ", ".join(
            f"{label!r}: {prior:g}"
            for label, prior in zip(self.classes.tolist(), self.priors, strict=True)
        )
        return f"ClassDensities of dimension {self.dimension} with priors {{{shares}}}"


def read_priors(priors: Any, classes: NDArray[Any], owner: str) -> Array:
    """Prior probabilities in the order of the classes; equal ones if none are given."""
    count = len(classes)
    if priors is None:
        return np.full(count, 1.0 / count)
    if isinstance(priors, Mapping):
        missing = [label for label in classes.tolist() if label not in priors]
        if missing or len(priors) != count:
            raise InvalidDataError(
                f"{owner}: priors must name each of the classes {classes.tolist()!r} once, got "
                f"{dict(priors)!r}."
            )
        priors = [priors[label] for label in classes.tolist()]
    values = as_floats(priors, owner, "priors")
    if values.shape != (count,):
        raise InvalidDataError(
            f"{owner}: priors has shape {values.shape}, expected ({count},): one for each class."
        )
    if not np.isfinite(values).all() or (values < 0).any():
        raise InvalidDataError(
            f"{owner}: priors must be finite numbers of at least 0, got {values.tolist()!r}."
        )
    if abs(values.sum() - 1.0) > _SLACK:
        raise InvalidDataError(f"{owner}: the priors sum to {values.sum():.6g} and must sum to 1.")
    return values


def _density(density: Any, at: Array) -> Array:
    if hasattr(density, "pdf"):
        return np.asarray(density.pdf(at), dtype=np.float64).reshape(len(at))
    try:
        found = np.asarray(density(at), dtype=np.float64)
        if found.shape != (len(at),):
            raise ValueError
    except (TypeError, ValueError):  # a function of one point
        found = np.array([density(point) for point in at], dtype=np.float64)
    if not (found >= 0).all():
        place = int((~(found >= 0)).argmax())
        raise InvalidDataError(
            f"ClassDensities: a density is {found[place]:g} at {at[place]}; densities must be "
            "numbers of at least 0."
        )
    return found


def _log_density(density: Any, at: Array) -> Array:
    if hasattr(density, "logpdf"):
        return np.asarray(density.logpdf(at), dtype=np.float64).reshape(len(at))
    with np.errstate(divide="ignore"):
        return np.log(_density(density, at))


def _bounds(density: Any, dimension: int) -> tuple[Array, Array]:
    if hasattr(density, "ppf"):
        return np.atleast_1d(density.ppf(_TAIL)), np.atleast_1d(density.isf(_TAIL))
    mean, cov = getattr(density, "mean", None), getattr(density, "cov", None)
    if mean is None or cov is None or callable(mean) or callable(cov):
        raise InvalidParameterError(
            "ClassDensities: tell by support=[(low, high), …], a pair for each coordinate, where "
            "the densities are to be integrated."
        )
    spread = 8.0 * np.sqrt(np.diag(np.atleast_2d(cov)))
    return np.atleast_1d(mean) - spread, np.atleast_1d(mean) + spread
