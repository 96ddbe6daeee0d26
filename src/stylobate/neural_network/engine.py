"""The compiled perceptron's Python side: rows, targets and parameters as it takes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stylobate import _core
from stylobate.arrays import Array, Integers
from stylobate.neural_network.optimizer import OptimizerState
from stylobate.optimize.sgd import row_major


@dataclass(frozen=True, slots=True)
class Targets:
    """What the outputs should be: numbers, or class numbers.

    Parameters
    ----------
    values : array of shape (n, outputs) or None
    codes : array of shape (n,) or None
        Class numbers; two classes have one output.
    weights : array of shape (n,) or None
        Of the rows.
    """

    values: NDArray[Any] | None
    codes: NDArray[np.int32] | None
    weights: Array | None

    def as_type(self, dtype: Any) -> Targets:
        """With numbers of the network's type."""
        if self.values is None:
            return self
        values = np.ascontiguousarray(self.values, dtype=dtype)
        return Targets(values, self.codes, self.weights)

    @property
    def total_weight(self) -> float:
        """Of all rows."""
        if self.weights is not None:
            return float(self.weights.sum())
        kept = self.codes if self.codes is not None else self.values
        assert kept is not None
        return float(len(kept))


@dataclass(frozen=True, slots=True)
class Perceptron:
    """Layers and all parameters in one vector: the weights of all layers, then the biases.

    Parameters
    ----------
    units : list of int
        Inputs, hidden layers, outputs.
    hidden, output : str
        Activations.
    parameters : array
        float32 or float64; what the network computes in.

    Examples
    --------
    >>> network = Perceptron.of([np.ones((2, 1))], [np.zeros(1)], "relu", "identity")
    >>> network.outputs(np.array([[1.0, 2.0]]))
    array([[3.]])
    """

    units: list[int]
    hidden: str
    output: str
    parameters: NDArray[Any]

    @classmethod
    def of(
        cls,
        coefs: Sequence[NDArray[Any]],
        intercepts: Sequence[NDArray[Any]],
        hidden: str,
        output: str,
    ) -> Perceptron:
        """A network of weights and biases, which are copied."""
        units = [len(coefs[0]), *(len(intercept) for intercept in intercepts)]
        flat = np.concatenate([part.ravel() for part in (*coefs, *intercepts)])
        return cls(units, hidden, output, flat)

    def parts(self) -> tuple[list[NDArray[Any]], list[NDArray[Any]]]:
        """Weights and biases of the layers: views of the parameters."""
        coefs, intercepts, at = [], [], 0
        for inputs, outputs in zip(self.units[:-1], self.units[1:], strict=True):
            coefs.append(self.parameters[at : at + inputs * outputs].reshape(inputs, outputs))
            at += inputs * outputs
        for outputs in self.units[1:]:
            intercepts.append(self.parameters[at : at + outputs])
            at += outputs
        return coefs, intercepts

    def at(self, parameters: NDArray[Any]) -> Perceptron:
        """The same layers with other parameters."""
        return Perceptron(self.units, self.hidden, self.output, parameters)

    @property
    def n_weights(self) -> int:
        """Parameters that are penalised: all but the biases."""
        return len(self.parameters) - sum(self.units[1:])

    def _asked(self, x: Any, y: Targets | None = None, *more: Any) -> tuple[Any, ...]:
        """What the core asks for: the network, the rows, the targets if any, and more."""
        targets = () if y is None else (y.values, y.codes, y.weights)
        return (
            self.units, self.hidden, self.output, self.parameters, *self._rows(x), *targets, *more,
        )  # fmt: skip

    def _rows(self, x: Any) -> tuple[Any, Any, Any, Any]:
        """Dense rows, or values, columns and offsets of compressed ones."""
        x = row_major(x)
        if isinstance(x, np.ndarray):
            return x.astype(self.parameters.dtype, copy=False), None, None, None
        if not x.has_sorted_indices:
            x = x.sorted_indices()
        values = x.data.astype(self.parameters.dtype, copy=False)
        return None, values, x.indices.astype(np.int32), x.indptr.astype(np.int64)

    def outputs(self, x: Any) -> NDArray[Any]:
        """What the network answers to rows: an array of shape (n, outputs)."""
        return np.asarray(_core.perceptron_outputs(*self._asked(x)))

    def gradient(self, x: Any, y: Targets) -> tuple[float, Array]:
        """The weighted sum of the rows' losses, and its gradient by the parameters."""
        y = y.as_type(self.parameters.dtype)
        loss, gradient = _core.perceptron_gradient(*self._asked(x, y))
        return loss, np.asarray(gradient)

    def epoch(
        self, x: Any, y: Targets, order: Integers, batch: int, alpha: float, state: OptimizerState
    ) -> float:
        """Steps along rows in this order; returns the mean loss met. `state` moves on."""
        loss, state.steps = _core.perceptron_epoch(
            *self._asked(x, y, order, batch, state.first, state.second, state.options(alpha))
        )
        return float(loss)
