"""Dictionary learning by turns: codes for the dictionary, the dictionary for the codes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.decomposition.dictionary.atoms import AtomUpdate, resized, singular_start
from stylobate.decomposition.dictionary.certificate import DictionaryCertificate
from stylobate.decomposition.dictionary.coding import CodingRequest, sparse_codes
from stylobate.parallel import blas_for


@dataclass(frozen=True, slots=True, eq=False)
class Alternation:
    """What is asked for.

    Parameters
    ----------
    n_components : int
        Atoms.
    request : CodingRequest
        How codes are found.
    max_iter, tol
        Turns at most; the share of the objective below which a turn's gain ends them.
    positive_dict : bool
        Whether atoms are kept non-negative.
    code_init, dict_init : arrays or None
        Where to start; singular vectors where one of them is missing.
    draws : RandomState
        For atoms that no code uses.
    callback : callable or None
        Called with what is known every five turns.
    verbose : int
        Whether the objective is printed.
    owner : str
        Named in warnings.
    """

    n_components: int
    request: CodingRequest
    max_iter: int
    tol: float
    positive_dict: bool
    code_init: Array | None
    dict_init: Array | None
    draws: Any
    callback: Callable[[dict[str, Any]], Any] | None
    verbose: int
    owner: str

    def run(self, x: Array) -> LearntDictionary:
        """Take turns until the objective no longer falls."""
        code, dictionary = self._start(x)
        errors: list[float] = []
        update = AtomUpdate(np.zeros((0, 0)), np.zeros((0, x.shape[1])), self.positive_dict)
        turn = -1
        for turn in range(self.max_iter):
            code = sparse_codes(x, dictionary, self.request, start=code, owner=self.owner)
            with blas_for(self.n_components):
                update = AtomUpdate(code.T @ code, code.T @ x, self.positive_dict)
                drawn = update.apply(dictionary, x, code, self.draws)
                if drawn:  # their codes are zero now
                    update = AtomUpdate(code.T @ code, code.T @ x, self.positive_dict)
                errors.append(self._objective(x, code, dictionary))
            if self.verbose:
                print(f"{self.owner}: turn {turn + 1}, objective {errors[-1]:.6g}, {drawn} drawn")
            if turn > 0 and errors[-2] - errors[-1] < self.tol * errors[-1]:
                break
            if turn % 5 == 0 and self.callback is not None:
                self.callback({"code": code, "dictionary": dictionary, "errors": errors})
        proof = None
        if errors:
            proof = DictionaryCertificate.of(x, code, dictionary, update, self.request)
        return LearntDictionary(code, dictionary, errors, turn + 1, proof)

    def _start(self, x: Array) -> tuple[Array, Array]:
        if self.code_init is None or self.dict_init is None:
            return singular_start(x, self.n_components)
        code = np.array(self.code_init, dtype=np.float64)
        dictionary = np.array(self.dict_init, dtype=np.float64)
        return resized(code.T, self.n_components).T, resized(dictionary, self.n_components)

    def _objective(self, x: Array, code: Array, dictionary: Array) -> float:
        left = x - code @ dictionary
        return 0.5 * float(np.vdot(left, left)) + self.request.alpha * float(np.abs(code).sum())


@dataclass(frozen=True, slots=True, eq=False)
class LearntDictionary:
    """What the turns ended with; `certificate` is None where there were none."""

    code: Array
    dictionary: Array
    errors: list[float]
    turns: int
    certificate: DictionaryCertificate | None
