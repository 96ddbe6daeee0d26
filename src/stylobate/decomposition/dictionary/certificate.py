"""How far codes and dictionary are from the best for each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.dictionary.atoms import AtomUpdate
from stylobate.decomposition.dictionary.coding import CodingRequest, sparse_codes
from stylobate.parallel import blas_for

_CLOSE = 1e-3  # a dictionary that moves no more is called stationary


@dataclass(frozen=True, slots=True)
class DictionaryCertificate:
    r"""What is proved of :math:`\tfrac12\|X - CD\|^2 + α\|C\|_1`, :math:`\|d_k\| \le 1`.

    The problem is not convex, so that nothing is proved of other dictionaries. For this one the
    codes are lassos, each with a dual point, and the gap bounds what better codes would gain; for
    these codes the residual says how far an atom would still move.

    Parameters
    ----------
    objective : float
        Its value.
    gap : float
        No codes of this dictionary have an objective lower by more than this.
    relative_gap : float
        The gap as a share of the objective.
    dictionary_residual : float
        The farthest an atom would move to the best place given the codes and the other atoms.
    proved : bool
        Of the gap; always True.

    Examples
    --------
    >>> import numpy as np
    >>> from stylobate.decomposition import DictionaryLearning
    >>> x = np.random.default_rng(0).normal(size=(40, 5))
    >>> proof = DictionaryLearning(3, tol=1e-12, random_state=0).fit(x).certificate_
    >>> print(proof.verdict)
    The codes are within 1e-09 of the best for this dictionary, whose atoms are stationary.
    """

    objective: float
    gap: float
    relative_gap: float
    dictionary_residual: float
    proved: bool = True

    @classmethod
    def of(
        cls,
        x: Array,
        code: Array,
        dictionary: Array,
        update: AtomUpdate,
        request: CodingRequest,
    ) -> Self:
        """Of rows x, their codes and the dictionary; `update` says what the codes ask of it.

        The rows are coded once more: the codes found, and their dual points, give the bound.
        """
        best = sparse_codes(x, dictionary, request, start=code)
        with blas_for(len(dictionary)):
            primal = _objectives(x - code @ dictionary, code, request.alpha)
            dual = _dual_values(x, x - best @ dictionary, dictionary, request)
        total, gap = float(primal.sum()), float(np.maximum(primal - dual, 0.0).sum())
        share = gap / total if total > 0.0 else 0.0
        return cls(total, gap, share, update.residual(dictionary))

    @property
    def stationary(self) -> bool:
        """Whether atoms would move by no more than a thousandth."""
        return self.dictionary_residual <= _CLOSE

    @property
    def verdict(self) -> str:
        """The certificate in one sentence."""
        bound = f"{max(10.0 ** np.ceil(np.log10(max(self.relative_gap, 1e-9))), 1e-9):.0e}"
        atoms = (
            "whose atoms are stationary"
            if self.stationary
            else f"of which an atom would still move by {self.dictionary_residual:.2g}"
        )
        return f"The codes are within {bound} of the best for this dictionary, {atoms}."


def _objectives(left: Array, code: Array, alpha: float) -> Array:
    """Of every row, given what the codes leave of it."""
    squares = np.einsum("ij,ij->i", left, left)
    return np.asarray(0.5 * squares + alpha * np.abs(code).sum(axis=1))


def _dual_values(x: Array, left: Array, dictionary: Array, request: CodingRequest) -> Array:
    """The lasso's dual at the best feasible multiple of what is left of every row."""
    reached = left @ dictionary.T
    largest = (reached if request.positive else np.abs(reached)).max(axis=1, initial=0.0)
    squares, inner = np.einsum("ij,ij->i", left, left), np.einsum("ij,ij->i", left, x)
    with np.errstate(divide="ignore", invalid="ignore"):
        feasible = np.where(largest > 0.0, request.alpha / largest, np.inf)
        wanted = np.where(squares > 0.0, inner / squares, 0.0)
    scale = np.clip(wanted, 0.0, feasible)
    return np.asarray(scale * inner - 0.5 * scale**2 * squares)
