"""Convex or not: chords, curvature, slopes and supporting lines, of functions and of sets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.optimize.diagnosis import hessian_at, smooth_part
from stylobate.optimize.state import norm

ROUNDING = 1e-10  # of the largest value seen: what sums of many terms leave undecided
CURVATURE = 1e-5  # of the largest eigenvalue: differences leave five digits


@dataclass(frozen=True, slots=True, eq=False)
class Chord:
    """A segment from x to z, and the point (1 − t) x + t z on it.

    Parameters
    ----------
    x, z : arrays (n,)
    t : float in (0, 1)
    above : float
        How far the function is above the chord there; infinite where it is not even finite.
    """

    x: Array
    z: Array
    t: float
    above: float

    @property
    def point(self) -> Array:
        """(1 − t) x + t z."""
        return (1.0 - self.t) * self.x + self.t * self.z


@dataclass(frozen=True, slots=True, eq=False)
class ConvexityReport:
    """What a search for a counterexample found.

    Parameters
    ----------
    convex : bool
        False if a counterexample was found; True only says that none was.
    lowest, highest : float
        The range of the Hessian's eigenvalues over the points looked at: guesses of μ and L. NaN
        where the function has no finite second differences.
    witness : array (n,) or None
        The point of the most negative curvature, or the one above its chord.
    points : int
        How many points and chords were looked at.
    chord : Chord or None
        The chord that the function exceeds most.
    function : callable
        What was looked at.
    """

    convex: bool
    lowest: float
    highest: float
    witness: Array | None
    points: int
    chord: Chord | None = None
    function: Callable[[Array], float] | None = None

    def __str__(self) -> str:
        if self.convex:
            if np.isnan(self.lowest):  # a set, or a function without second differences
                return f"Nothing speaks against convex: {self.points} chords tried (no proof)."
            strongly = "strongly convex" if self.lowest > 1e-8 * abs(self.highest) else "convex"
            return (
                f"Nothing speaks against {strongly} at {self.points} points (no proof): curvature "
                f"from {self.lowest:.3g} to {self.highest:.3g}."
            )
        at = _shown(self.witness)
        if self.chord is None:
            return f"Not convex: at x = {at} the Hessian has the eigenvalue {self.lowest:.3g}."
        if np.isinf(self.chord.above):
            return (
                f"Not convex: {at} is outside, but lies between {_shown(self.chord.x)} and "
                f"{_shown(self.chord.z)}, which are inside."
            )
        return (
            f"Not convex: at x = {at} the function is {self.chord.above:.3g} above its chord from "
            f"{_shown(self.chord.x)} to {_shown(self.chord.z)}."
        )

    def plot(self, ax: Any = None) -> Any:
        """Draw the function along the chord that it exceeds.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_chord

        if self.chord is None or self.function is None:
            raise InvalidDataError("ConvexityReport: no chord was found below the function.")
        return plot_chord(self.function, self.chord.x, self.chord.z, self.chord.t, ax=ax)


def convexity(
    function: Any, low: Any, high: Any, *, points: int = 200, random_state: int = 0
) -> ConvexityReport:
    r"""Look in a box for chords below the function, and for negative curvature.

    A function is convex if :math:`f((1-t)x + tz) \le (1-t) f(x) + t f(z)` for all x, z and t in
    [0, 1]; corners and steps need no derivative to be found out by their chords. Chords have all
    lengths, from the whole box to a thousandth of it, and half of them change one coordinate only.

    Parameters
    ----------
    function : callable, or anything with value and gradient
        It may be infinite outside its domain.
    low, high : array (n,)
        Corners of the box.
    points : int in [1, inf), default=200
        Random points at which the Hessian's eigenvalues are computed, and five times as many
        chords.
    random_state : int, default=0

    Returns
    -------
    ConvexityReport

    Examples
    --------
    >>> convexity(lambda x: x[0] ** 2 + x[1] ** 4, [-1, -1], [1, 1]).convex
    True
    >>> convexity(lambda x: -abs(x[0]), [-1.0], [1.0]).convex
    False
    """
    a, b = _box("convexity", low, high)
    smooth, random = smooth_part(function), np.random.default_rng(random_state)

    def value(x: Array) -> float:
        return float(smooth.value(x))

    chord = _worst_chord(value, a, b, 5 * points, random)
    lowest, highest, witness = _curvatures(smooth, value, a, b, points, random)
    bent = lowest < -CURVATURE * max(abs(highest), abs(lowest))
    # differences across a corner mislead: curvature counts where a chord confirms it
    bent = bent and _chord_at(value, witness, smooth, b - a) is not None
    convex = not bent and chord is None
    if bent:
        return ConvexityReport(False, lowest, highest, witness, 6 * points, None, value)
    at = None if convex or chord is None else chord.point
    return ConvexityReport(convex, lowest, highest, at, 6 * points, chord, value)


def set_convexity(
    contains: Callable[[Array], bool],
    low: Any,
    high: Any,
    *,
    chords: int = 2000,
    random_state: int = 0,
) -> ConvexityReport:
    """Look in a box for two points of a set with a point between them that is not in it.

    Parameters
    ----------
    contains : callable, or a set of `stylobate.optimize`
        Whether x is in the set.
    low, high : array (n,)
        Corners of the box that points are drawn from.
    chords : int in [1, inf), default=2000
        How many segments are tried.
    random_state : int, default=0

    Returns
    -------
    ConvexityReport
        Of the function that is 0 in the set and infinite elsewhere.

    Examples
    --------
    >>> set_convexity(lambda x: abs(x[0]) + abs(x[1]) <= 1, [-1, -1], [1, 1]).convex
    True
    >>> set_convexity(lambda x: abs(x[0]) ** 0.5 + abs(x[1]) ** 0.5 <= 1, [-1, -1], [1, 1]).convex
    False
    """
    a, b = _box("set_convexity", low, high)
    inside = getattr(contains, "contains", contains)
    if not callable(inside):
        raise InvalidParameterError(
            f"set_convexity: contains must be a function or a set with contains, got {contains!r}."
        )

    def value(x: Array) -> float:
        return 0.0 if inside(x) else np.inf

    random = np.random.default_rng(random_state)
    members = [x for x in random.uniform(a, b, (chords, len(a))) if value(x) == 0.0]
    if len(members) < 2:
        raise InvalidDataError(
            f"set_convexity: {len(members)} of {chords} random points of the box lie in the set; "
            "make the box smaller, or raise chords."
        )
    found = None
    for _ in range(chords):
        i, j = random.integers(len(members), size=2)
        chord = Chord(members[i], members[j], float(random.uniform()), np.inf)
        if value(chord.point) > 0.0:
            found = chord
            break
    at = None if found is None else found.point
    return ConvexityReport(found is None, np.nan, np.nan, at, chords, found, value)


def directional_derivative(function: Any, x: Any, direction: Any) -> float:
    r"""The slope along a direction, from one side: :math:`\lim_{h \downarrow 0} (f(x+hd)-f(x))/h`.

    It exists at corners too, where the slopes ahead and behind differ.

    Parameters
    ----------
    function : callable, or anything with value
    x, direction : array (n,)

    Returns
    -------
    float

    Examples
    --------
    >>> f = lambda x: abs(x[0])
    >>> round(directional_derivative(f, [0.0], [1.0]), 6)
    1.0
    >>> round(directional_derivative(f, [0.0], [-1.0]), 6)
    1.0
    """
    point, d = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (x, direction))
    length = norm(d)
    if point.shape != d.shape or not length > 0.0:
        raise InvalidDataError(
            "directional_derivative: x and direction must be vectors of one length, the direction "
            "not 0."
        )
    smooth = smooth_part(function)
    here = float(smooth.value(point))
    step = 1e-4 * max(1.0, norm(point)) / length
    # three one-sided quotients; their first and second errors, in h and h², cancel
    q = [(float(smooth.value(point + h * d)) - here) / h for h in (step, step / 2, step / 4)]
    return (q[0] - 6.0 * q[1] + 8.0 * q[2]) / 3.0


@dataclass(frozen=True, slots=True, eq=False)
class SubgradientCheck:
    """Whether a vector is a subgradient, as far as random points tell.

    Parameters
    ----------
    holds : bool
        False if a point below the supporting plane was found; True only says that none was.
    witness : array (n,) or None
        The point deepest below it.
    below : float
        How deep.
    points : int
        How many were looked at.
    function : callable or None
    x, slope : array (n,) or None
        Where which vector was judged.
    """

    holds: bool
    witness: Array | None
    below: float
    points: int
    function: Callable[[Any], Any] | None = None
    x: Array | None = None
    slope: Array | None = None

    def plot(self, ax: Any = None) -> Any:
        """Draw the function and the plane, towards the point below it or along the first axis.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.

        Returns
        -------
        matplotlib Axes
        """
        from stylobate.plot import plot_subgradients

        if self.function is None or self.x is None or self.slope is None:
            raise InvalidDataError("SubgradientCheck: made without a function there is no picture.")
        way = None if self.witness is None else self.witness - self.x
        reach = 1.0 if way is None else 1.5
        return plot_subgradients(
            self.function, self.x, self.slope[None], direction=way, reach=reach, ax=ax
        )

    def __str__(self) -> str:
        if self.holds:
            return f"Nothing speaks against a subgradient at {self.points} points (no proof)."
        return (
            f"Not a subgradient: at x = {_shown(self.witness)} the function is {self.below:.3g} "
            "below the plane."
        )


def check_subgradient(
    function: Any,
    x: Any,
    g: Any,
    low: Any,
    high: Any,
    *,
    points: int = 2000,
    random_state: int = 0,
) -> SubgradientCheck:
    r"""Look in a box for a point with :math:`f(z) < f(x) + g^T (z - x)`.

    Parameters
    ----------
    function : callable, or anything with value
    x : array (n,)
        Where g should be a subgradient.
    g : array (n,)
    low, high : array (n,)
        Corners of the box.
    points : int in [1, inf), default=2000
        Half of them near x, at all scales.
    random_state : int, default=0

    Returns
    -------
    SubgradientCheck

    Examples
    --------
    >>> check_subgradient(lambda x: abs(x[0]), [0.0], [0.5], [-1.0], [1.0]).holds
    True
    >>> check_subgradient(lambda x: abs(x[0]), [0.0], [1.5], [-1.0], [1.0]).holds
    False
    """
    a, b = _box("check_subgradient", low, high)
    at, slope = (np.atleast_1d(np.asarray(v, dtype=np.float64)) for v in (x, g))
    if at.shape != a.shape or slope.shape != a.shape:
        raise InvalidDataError("check_subgradient: x, g, low and high must have one length.")
    smooth, random = smooth_part(function), np.random.default_rng(random_state)
    here, deepest, witness = float(smooth.value(at)), 0.0, None
    for k in range(points):
        z = random.uniform(a, b)
        if k % 2:
            z = at + 10.0 ** random.uniform(-3.0, 0.0) * (z - at)
        there = float(smooth.value(z))
        below = here + float(slope @ (z - at)) - there
        if below > max(deepest, ROUNDING * max(abs(here), abs(there))):
            deepest, witness = below, z
    return SubgradientCheck(witness is None, witness, deepest, points, smooth.value, at, slope)


def _box(owner: str, low: Any, high: Any) -> tuple[Array, Array]:
    a, b = (np.atleast_1d(np.asarray(end, dtype=np.float64)) for end in (low, high))
    if a.shape != b.shape or not (np.isfinite(a).all() and np.isfinite(b).all() and (a <= b).all()):
        raise InvalidDataError(
            f"{owner}: low and high must be finite vectors of one length, low not above high."
        )
    return a, b


def _shown(x: Array | None) -> str:
    return np.array2string(np.asarray(x), precision=4, threshold=8)


def _worst_chord(
    value: Callable[[Array], float], a: Array, b: Array, count: int, random: np.random.Generator
) -> Chord | None:
    worst, largest = None, 0.0
    for k in range(count):
        x, z = random.uniform(a, b, (2, len(a)))
        z = x + 10.0 ** random.uniform(-3.0, 0.0) * (z - x) if k % 4 > 1 else z
        if k % 2:
            kept = np.arange(len(a)) != random.integers(len(a))
            z[kept] = x[kept]
        found = _above(value, x, z, float(random.uniform(0.02, 0.98)))
        if found is not None and found.above > largest:
            worst, largest = found, found.above
    return worst


def _above(value: Callable[[Array], float], x: Array, z: Array, t: float) -> Chord | None:
    """The chord, if the function exceeds it by more than rounding may."""
    chord = Chord(x, z, t, 0.0)
    ends, middle = (value(x), value(z)), value(chord.point)
    if np.isnan([*ends, middle]).any():
        raise InvalidDataError(f"convexity: the function is NaN on the chord to {_shown(z)}.")
    if not np.isfinite(ends).all():
        return None
    above = middle - (1.0 - t) * ends[0] - t * ends[1]
    rounding = ROUNDING * max(abs(ends[0]), abs(ends[1]), abs(middle) if above < np.inf else 0.0)
    return Chord(x, z, t, float(above)) if above > rounding else None


def _curvatures(
    smooth: Any,
    value: Callable[[Array], float],
    a: Array,
    b: Array,
    points: int,
    random: np.random.Generator,
) -> tuple[float, float, Array]:
    """The least and largest eigenvalue of Hessians at random points, and where the least was."""
    lowest, highest, witness = np.inf, -np.inf, a
    for _ in range(points):
        x = random.uniform(a, b)
        if not np.isfinite(value(x)):
            continue
        second = np.asarray(hessian_at(smooth, x))
        if not np.isfinite(second).all():
            continue
        values = np.linalg.eigvalsh(second)
        if values[0] < lowest:
            lowest, witness = float(values[0]), x
        highest = max(highest, float(values[-1]))
    return (lowest, highest, witness) if lowest < np.inf else (np.nan, np.nan, witness)


def _chord_at(value: Callable[[Array], float], x: Array, smooth: Any, width: Array) -> Chord | None:
    """A chord along the most negative curvature, where there is one that is long enough to tell."""
    vectors = np.linalg.eigh(np.asarray(hessian_at(smooth, x)))[1]
    reach = float(np.max(width))
    for length in (1e-1, 1e-2, 1e-3, 1e-4):
        d = length * reach * vectors[:, 0]
        found = _above(value, x - d, x + d, 0.5)
        if found is not None:
            return found
    return None
