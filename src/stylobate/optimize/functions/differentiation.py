"""Derivatives of plain Python functions: by a complex step, or else by differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stylobate.arrays import Array

_EPS = 2.0**-52
_COMPLEX_STEP = 1e-30  # no subtraction, hence no cancellation: any tiny step is exact


def complex_step(function: Callable[[Any], Any], x: Array) -> Array | None:
    r"""The gradient by :math:`\partial_j f = \operatorname{Im} f(x + i h e_j) / h`, or None.

    Exact to rounding for functions made of analytic operations. None where the function refuses
    complex numbers or drops their imaginary part (`abs`, `max`, comparisons, `float(...)`).

    Examples
    --------
    >>> complex_step(lambda x: np.sum(x**3), np.array([1.0, 2.0]))
    array([ 3., 12.])
    """
    import warnings

    gradient = np.empty(len(x))
    for j in range(len(x)):
        moved = x.astype(np.complex128)
        moved[j] += 1j * _COMPLEX_STEP
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", np.exceptions.ComplexWarning)
                value = np.asarray(function(moved))
        except Exception:  # whatever a function of real numbers does with complex ones
            return None
        if value.size != 1 or not np.iscomplexobj(value):
            return None
        gradient[j] = value.reshape(()).imag / _COMPLEX_STEP
    return gradient if np.isfinite(gradient).all() else None


def central_differences(function: Callable[[Any], Any], x: Array) -> Array:
    r"""The gradient by :math:`(f(x + h e_j) - f(x - h e_j)) / 2h`, with h about ∛ε of |xⱼ|.

    About ten digits for functions of ordinary scale.

    Examples
    --------
    >>> central_differences(lambda x: float(x[0] ** 2), np.array([3.0])).round(6)
    array([6.])
    """
    gradient = np.empty(len(x))
    for j in range(len(x)):
        h = _EPS ** (1 / 3) * max(1.0, abs(x[j]))
        ahead, behind = x.copy(), x.copy()
        ahead[j] += h
        behind[j] -= h
        width = ahead[j] - behind[j]  # as represented
        gradient[j] = (_number(function(ahead)) - _number(function(behind))) / width
    return gradient


def _number(value: Any) -> float:
    """What a function returned, as a number; an array of one entry is one."""
    return float(np.asarray(value, dtype=np.float64).reshape(()))


def differences_of_gradient(gradient: Callable[[Array], Array], x: Array) -> Array:
    """The Hessian from 2n gradients, made symmetric.

    Examples
    --------
    >>> differences_of_gradient(lambda x: np.array([2 * x[0] + x[1], x[0]]), np.zeros(2)).round(6)
    array([[2., 1.],
           [1., 0.]])
    """
    n = len(x)
    hessian = np.empty((n, n))
    for j in range(n):
        h = _EPS ** (1 / 3) * max(1.0, abs(x[j]))
        ahead, behind = x.copy(), x.copy()
        ahead[j] += h
        behind[j] -= h
        hessian[j] = (gradient(ahead) - gradient(behind)) / (ahead[j] - behind[j])
    return 0.5 * (hessian + hessian.T)
