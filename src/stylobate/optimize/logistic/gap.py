r"""How far an answer can be from the optimum, from a feasible point of the dual problem.

The dual of :math:`F = \sum_i \omega_i\ell_i + \frac{\lambda}{2}\|W\|^2` is

.. math:: \max_u \; \sum_i \omega_i H(p_i) - \frac{1}{2\lambda}\|X^\top u\|^2,
    \quad u_i = \omega_i (p_i - e_{y_i}), \quad \sum_i u_i = 0 \text{ with an intercept}

with H the entropy of the probabilities pᵢ. At the model's own probabilities the gap is
:math:`\|g\|^2/2\lambda`. Moving them along a direction d of the parameters,
:math:`p_i' = p_i - (\mathrm{diag}\,p_i - p_ip_i^\top)(d^\top x_i)`, keeps them probabilities while
the margins change by less than r < 1, changes :math:`X^\top u` by the Hessian's product with d and
costs at most :math:`\frac12 d^\top \nabla^2 L\,d/(1 - r)` of entropy. So with the residual
:math:`\rho = g - \nabla^2 F d`, whose intercept part must vanish,

.. math:: F(\theta) - F^* \le \frac{\|\rho_W + \lambda d_W\|^2}{2\lambda}
    + \frac{d^\top \nabla^2 L\, d}{2(1 - r)}

With d the change of the intercepts alone this needs no linear system; with Newton's direction it is
half the squared Newton decrement, the tightest bound to second order.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from stylobate.arrays import Array
from stylobate.optimize.certificate import Certificate
from stylobate.optimize.state import dot

ROUNDING_OF_SUMS = 1e-11  # a gradient this far below its terms is zero


@dataclass(frozen=True, slots=True)
class DualMove:
    """A direction along which the dual point is moved, and what a pass tells of it.

    Parameters
    ----------
    direction : array
        d.
    curved : array
        ∇²L d, without the penalty.
    widest : float
        r, the widest change of a row's margins.
    """

    direction: Array
    curved: Array
    widest: float


def gap_of(
    gradient: Array, l2: float, n_coefficients: int, move: DualMove, scale: Array
) -> tuple[float, bool]:
    """The bound above, and whether its dual point is feasible (up to rounding).

    `scale` is what each entry of the gradient is measured by: the sum it would be if its terms
    did not cancel.

    Without a penalty the point is feasible only where ρ vanishes; the bound is then half the
    squared Newton decrement.
    """
    if move.widest >= 1.0:
        return inf, False
    m = n_coefficients
    left = gradient - move.curved  # of the gradient, once the dual point has moved
    entropy = 0.5 * dot(move.direction, move.curved) / (1.0 - move.widest)
    vanishes = np.abs(left) <= ROUNDING_OF_SUMS * scale
    if l2 > 0.0:
        return 0.5 * dot(left[:m], left[:m]) / l2 + entropy, bool(vanishes[m:].all())
    return entropy, bool(vanishes.all())


def certificate_of(
    *,
    value: float,
    gap: float,
    at_zero: float,
    gradient: Array,
    scale: Array | float,
    condition: float,
    proved: bool,
    l2: float,
    n_outputs: int,
) -> Certificate:
    """A certificate in the words of logistic regression.

    Parameters
    ----------
    value, gap, at_zero : float
        The objective here, its largest possible excess, the objective without coefficients.
    gradient : array
        Of the objective; `scale` is what each entry is measured by.
    condition, proved
        As of `Certificate`.
    l2 : float
        λ.
    n_outputs : int
        1 for two classes.
    """
    loss = "log(1 + exp(-yᵢzᵢ))" if n_outputs == 1 else "-log softmax(zᵢ)[yᵢ]"
    return Certificate.from_gap(
        f"Σ ωᵢ {loss}" + (f" + {l2 / 2:g}‖w‖²" if l2 else ""),
        primal=value,
        gap=gap,
        at_zero=at_zero,
        kkt=float(np.max(np.abs(gradient) / scale, initial=0.0)),
        condition=condition,
        proved=proved,
    )
