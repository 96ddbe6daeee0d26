"""What multi-layer perceptrons share: layers, the start, the solvers, what is learnt."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, Tags
from stylobate.base.randomness import stream_of
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import (
    ConvergenceWarning,
    InvalidDataError,
    InvalidParameterError,
    NumericalError,
    joined,
)
from stylobate.neural_network.engine import Perceptron, Targets
from stylobate.neural_network.optimizer import OptimizerState

ACTIVATIONS = ("identity", "logistic", "tanh", "relu")
SOLVERS = ("lbfgs", "sgd", "adam")
STOCHASTIC = ("sgd", "adam")
SCHEDULES = ("constant", "invscaling", "adaptive")


def is_stochastic(model: Any) -> bool:
    """Whether the model learns batch by batch, which `partial_fit` needs."""
    return model.solver in STOCHASTIC


def only_stochastic(model: Any) -> str:
    """Why there is no `partial_fit`."""
    return f"which is only available for stochastic optimizers; {model.solver} is not stochastic"


class MultilayerPerceptron(BaseEstimator):
    """Dense layers; subclasses read the target and say what the outputs mean."""

    hidden_layer_sizes: Any
    activation: str
    solver: str
    alpha: float
    batch_size: int | str
    learning_rate: str
    learning_rate_init: float
    power_t: float
    max_iter: int
    shuffle: bool
    random_state: Any
    tol: float
    verbose: bool | int
    warm_start: bool
    momentum: float
    nesterovs_momentum: bool
    early_stopping: bool
    validation_fraction: float
    beta_1: float
    beta_2: float
    epsilon: float
    n_iter_no_change: float
    max_fun: int

    coefs_: list[NDArray[Any]]
    intercepts_: list[NDArray[Any]]
    validation_scores_: Any
    best_validation_score_: Any
    best_loss_: Any
    _optimizer: OptimizerState
    _random_state: np.random.RandomState
    _best_parameters: NDArray[Any] | None

    def _tags(self) -> Tags:
        return super()._tags().but(sparse=True)

    # --- what subclasses say ----------------------------------------------------------------------

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any, *, first: bool, incremental: bool
    ) -> tuple[Any, Targets, int]:
        """The rows, the targets and the number of outputs."""
        raise NotImplementedError

    def _output_activation(self) -> str:
        raise NotImplementedError

    def _held_out_score(self, outputs: Any, target: Any, weights: Any) -> float:
        """How good outputs for rows held out are; NaN if they are not finite."""
        raise NotImplementedError

    # --- fitting ----------------------------------------------------------------------------------

    def _fit(self, X: Any, y: Any, sample_weight: Any, *, incremental: bool) -> Self:
        self._check_parameters()
        hidden = self._hidden_units()
        if incremental and self.early_stopping:
            raise InvalidParameterError(
                f"{type(self).__name__}: partial_fit does not support early_stopping=True, for it "
                "makes one pass over the rows it is given."
            )
        first = not hasattr(self, "coefs_") or (not self.warm_start and not incremental)
        x, targets, n_outputs = self._read_rows(
            X, y, sample_weight, first=first, incremental=incremental
        )
        self.n_outputs_ = n_outputs
        self._random_state = stream_of(self.random_state)
        units = [int(x.shape[1]), *hidden, n_outputs]
        if first:
            self._initialize(units, x.dtype)
        network = self._network()
        if network.units != units:
            raise InvalidDataError(
                f"{type(self).__name__}: the fit before had layers of {network.units} units, now "
                f"there would be {units}; use warm_start=False to begin anew."
            )
        self._solve(network, x, targets, incremental=incremental)
        del self._random_state
        self.coefs_, self.intercepts_ = network.parts()
        if not np.isfinite(network.parameters).all():
            raise NumericalError(
                f"{type(self).__name__}: Solver produced non-finite parameter weights. The input "
                "data may contain large values and need to be preprocessed: scale the columns to "
                "mean 0 and variance 1, or lower learning_rate_init."
            )
        return self

    def _hidden_units(self) -> list[int]:
        given = self.hidden_layer_sizes
        return [int(size) for size in given] if isinstance(given, Iterable) else [int(given)]

    def _initialize(self, units: list[int], dtype: Any) -> None:
        """Weights drawn from scikit-learn's stream (Glorot & Bengio), and empty books."""
        self.n_iter_, self.t_, self.n_layers_ = 0, 0, len(units)
        self.out_activation_ = self._output_activation()
        factor = 2.0 if self.activation == "logistic" else 6.0
        self.coefs_, self.intercepts_ = [], []
        for inputs, outputs in pairwise(units):
            bound = np.sqrt(factor / (inputs + outputs))
            draw = self._random_state.uniform
            self.coefs_.append(draw(-bound, bound, (inputs, outputs)).astype(dtype))
            self.intercepts_.append(draw(-bound, bound, outputs).astype(dtype))
        vars(self).pop("_optimizer", None)
        if is_stochastic(self):
            self._open_books()

    def _open_books(self) -> None:
        """What batches keep account of."""
        self.loss_curve_: list[float] = []
        self._no_improvement_count = 0
        early = self.early_stopping
        self.validation_scores_ = [] if early else None
        self.best_validation_score_ = -np.inf if early else None
        self.best_loss_ = None if early else np.inf

    def _solve(self, network: Perceptron, x: Any, y: Targets, *, incremental: bool) -> None:
        if is_stochastic(self):
            from stylobate.neural_network.stochastic import train

            self._best_parameters = None
            if not hasattr(self, "loss_curve_"):  # the fit before was by L-BFGS
                self._open_books()
            train(self, network, x, y, incremental=incremental)
            return
        from stylobate.neural_network.quasi_newton import minimize_loss

        found = minimize_loss(
            network, x.astype(np.float64), y, self.alpha,
            max_iter=self.max_iter, max_fun=self.max_fun, tol=self.tol,
        )  # fmt: skip
        network.parameters[:] = found.point.theta
        self.n_iter_, self.loss_ = found.steps, found.point.value
        if found.why:
            warnings.warn(
                f"{type(self).__name__}: lbfgs failed to converge after {found.why}. Increase the "
                "number of iterations, or scale the columns to mean 0 and variance 1.",
                joined(ConvergenceWarning),
                stacklevel=user_stacklevel(),
            )

    # --- answering --------------------------------------------------------------------------------

    def _network(self) -> Perceptron:
        return Perceptron.of(self.coefs_, self.intercepts_, self.activation, self.out_activation_)

    def _check_loaded(self) -> None:
        from stylobate.neural_network.exchange.stored import check_perceptron

        check_perceptron(self)

    def _outputs(self, X: Any) -> NDArray[Any]:
        self._check_fitted()
        return self._network().outputs(self._read(X, reset=False).x)
