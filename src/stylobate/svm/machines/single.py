"""Machines that are one dual: regression, and one class."""

from __future__ import annotations

from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.data.target import warn_column_vector
from stylobate.svm.duals.dual import DualProblem
from stylobate.svm.kernel_matrix.kernel_points import KernelPoints, subset
from stylobate.svm.machines.base import KernelMachine
from stylobate.svm.machines.machine import solve_machine


class SingleMachine(KernelMachine):
    """A kernel machine with one decision function."""

    _objective = ""
    _problem = "regression"

    def _dual(self, target: Array, weights: Array) -> DualProblem:
        """The dual of rows with these targets."""
        raise NotImplementedError

    def _target_of(self, y: Any, n: int) -> Array:
        """One number for each row."""
        owner = type(self).__name__
        read = read_table(np.zeros((n, 1)), y, owner=owner, y_required=True)
        assert read.y is not None
        if not read.y_is_vector:
            warn_column_vector()
        return np.ascontiguousarray(read.y[:, 0])

    def _learn(self, points: KernelPoints, weights: Array, target: Array) -> None:
        rows = np.flatnonzero(weights > 0.0)
        machine = solve_machine(
            subset(points, rows),
            self._dual(target[rows], weights[rows]),
            self._request,
            name=self._problem,
            objective=self._objective,
            rows=rows,
        )
        used = np.flatnonzero(machine.beta)
        self.support_ = rows[used].astype(np.int32)
        self._n_support = np.array([len(used)], dtype=np.int32)
        self.dual_coef_ = machine.beta[None, used]
        self.intercept_ = np.array([machine.intercept])
        self.n_iter_ = machine.n_iter
        self._store(points, [machine])
