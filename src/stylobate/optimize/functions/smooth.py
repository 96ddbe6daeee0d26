"""Smooth: a function of Python's with derivatives given or found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.exceptions import InvalidParameterError
from stylobate.optimize.functions.differentiation import (
    central_differences,
    complex_step,
    differences_of_gradient,
)
from stylobate.optimize.functions.foreign import foreign

Function = Callable[[Any], Any]


@dataclass(eq=False)
class Smooth:
    r"""A smooth function :math:`f : R^n \to R` and what is known about it.

    Parameters
    ----------
    function : callable
        Of an array (n,), to a number. Functions written for torch or JAX are recognised when the
        package is loaded, and differentiate themselves.
    gradient : callable, optional
        ∇f. Otherwise it is found by a complex step (exact; see `derivatives`), or by central
        differences (about ten digits).
    hessian : callable, optional
        ∇²f, (n, n). Otherwise by differences of gradients, where a method asks for it.
    lipschitz : float in (0, inf), optional
        L: the gradient changes by at most L times the distance.
    strong_convexity : float in [0, inf), default=0.0
        μ: f − ½μ‖x‖² is convex. A positive one gives every answer a proved gap.
    convex : bool, optional
        Whether f is convex; unknown by default, True where μ > 0.
    coordinate_lipschitz : array (n,), optional
        Constants of single coordinates.
    domain : callable, optional
        Of an array (n,), to whether f is defined there. Elsewhere f is +∞ and the function is not
        asked: methods that choose their steps step back into the domain. Everywhere by default.

    Attributes
    ----------
    derivatives : str
        How the gradient is found: "given", "torch or JAX", "complex step" or "central differences".
        Known after the first gradient.

    Examples
    --------
    >>> bowl = Smooth(lambda x: x[0] ** 2 + (x[1] - 1) ** 2)
    >>> bowl.gradient([1.0, 0.0])
    array([ 2., -2.])
    >>> bowl.derivatives
    'complex step'

    References
    ----------
    Squire & Trapp (1998), Using complex variables to estimate derivatives of real functions, SIAM
    Review 40.
    """

    function: Function
    gradient_function: Function | None = field(default=None, repr=False)
    hessian_function: Function | None = field(default=None, repr=False)
    lipschitz: float | None = None
    strong_convexity: float = 0.0
    convex: bool | None = None
    coordinate_lipschitz: Array | None = field(default=None, repr=False)
    domain: Function | None = field(default=None, repr=False)
    derivatives: str = field(default="", init=False)
    _resolved: bool = field(default=False, init=False, repr=False)

    def __init__(
        self,
        function: Function,
        gradient: Function | None = None,
        hessian: Function | None = None,
        *,
        lipschitz: float | None = None,
        strong_convexity: float = 0.0,
        convex: bool | None = None,
        coordinate_lipschitz: Any = None,
        domain: Function | None = None,
    ) -> None:
        given_functions = {
            "function": function, "gradient": gradient, "hessian": hessian, "domain": domain,
        }  # fmt: skip
        for name, given in given_functions.items():
            if not (callable(given) or (given is None and name != "function")):
                raise InvalidParameterError(
                    f"Smooth: {name} must be a function of an array, got {given!r}."
                )
        if lipschitz is not None and not 0.0 < lipschitz < np.inf:
            raise InvalidParameterError(
                f"Smooth: lipschitz must be a number in (0, inf), got {lipschitz!r}."
            )
        if not 0.0 <= strong_convexity < np.inf:
            raise InvalidParameterError(
                f"Smooth: strong_convexity must be a number in [0, inf), got {strong_convexity!r}."
            )
        self.function, self.gradient_function, self.hessian_function = function, gradient, hessian
        self.lipschitz, self.strong_convexity = lipschitz, float(strong_convexity)
        self.convex = True if strong_convexity > 0 else convex
        self.coordinate_lipschitz, self.domain = coordinate_lipschitz, domain
        self.derivatives = "" if gradient is None else "given"
        self._resolved = gradient is not None

    def value(self, x: Any) -> float:
        """f(x); infinite outside the domain."""
        point = np.asarray(x, dtype=np.float64)
        if self.domain is not None and not self.domain(point):
            return float("inf")
        return self.function(point)  # type: ignore[no-any-return]

    def gradient(self, x: Any) -> Array:
        """∇f(x)."""
        point = np.asarray(x, dtype=np.float64)
        if not self._resolved:
            self._resolve(point)
        if self.gradient_function is not None:
            return self.gradient_function(point)  # type: ignore[no-any-return]
        if self.derivatives == "complex step":
            found = complex_step(self.function, point)
            if found is not None:
                return found
        return central_differences(self.function, point)

    def hessian(self, x: Any) -> Array:
        """∇²f(x)."""
        point = np.asarray(x, dtype=np.float64)
        if not self._resolved:
            self._resolve(point)
        if self.hessian_function is not None:
            return self.hessian_function(point)  # type: ignore[no-any-return]
        return differences_of_gradient(lambda at: np.asarray(self.gradient(at)), point)

    def _resolve(self, x: Array) -> None:
        """Find out once how this function is differentiated."""
        self._resolved = True
        made = None if _is_plain(self.function, x) else foreign(self.function, x)
        if made is not None:
            self.function, self.gradient_function = made[0], made[1]
            self.hessian_function = self.hessian_function or made[2]
            self.derivatives = "torch or JAX"
            return
        probe = complex_step(self.function, x)
        self.derivatives = "central differences"
        if probe is not None:
            # a function may take complex numbers and still not be analytic, e.g. through |·|²
            rough = central_differences(self.function, x)
            scale = 1e-4 * max(1.0, float(np.abs(rough).max(initial=0.0)))
            if float(np.abs(probe - rough).max(initial=0.0)) <= scale:
                self.derivatives = "complex step"


def _is_plain(function: Function, x: Array) -> bool:
    """Whether a function makes a number of NumPy's of NumPy's arrays, as its writer meant it."""
    try:
        value = function(x)
    except Exception:  # perhaps written for tensors
        return False
    return isinstance(value, int | float | np.generic | np.ndarray)
