"""Training by epochs: batches in random order, held-out rows, when to stop."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Integers
from stylobate.data.words import user_stacklevel
from stylobate.exceptions import ConvergenceWarning, InvalidDataError, StylobateWarning, joined
from stylobate.neural_network.engine import Perceptron, Targets
from stylobate.neural_network.optimizer import OptimizerState

if TYPE_CHECKING:
    from stylobate.neural_network.perceptron import MultilayerPerceptron


def train(
    model: MultilayerPerceptron, network: Perceptron, x: Any, y: Targets, *, incremental: bool
) -> None:
    """Epochs until nothing improves; the model's attributes tell how it went."""
    if not incremental or not hasattr(model, "_optimizer"):
        model._optimizer = _optimizer(model, network)
    rows, held = _split(model, x, y)
    batch = _batch_size(model, len(rows))
    y = y.as_type(network.parameters.dtype)
    order = np.arange(len(rows))
    model.n_iter_ = 0
    try:
        for _ in range(model.max_iter):
            if model.shuffle:
                turn = np.arange(len(rows))
                model._random_state.shuffle(turn)
                order = order[turn]
            model.loss_ = network.epoch(x, y, rows[order], batch, model.alpha, model._optimizer)
            _end_epoch(model, network, len(rows), x, held)
            if _stops(model) or incremental:
                break
            if model.n_iter_ == model.max_iter:
                _warn_unconverged(model)
    except KeyboardInterrupt:
        warnings.warn("Training interrupted by user.", stacklevel=user_stacklevel())
    if model.early_stopping and model._best_parameters is not None:
        network.parameters[:] = model._best_parameters
    model._best_parameters = None


def _optimizer(model: MultilayerPerceptron, network: Perceptron) -> OptimizerState:
    return OptimizerState.of(
        model.solver,
        network.parameters,
        learning_rate_init=model.learning_rate_init,
        schedule=model.learning_rate,
        power_t=model.power_t,
        beta_1=model.beta_1 if model.solver == "adam" else model.momentum,
        beta_2=model.beta_2,
        epsilon=model.epsilon,
        nesterov=model.nesterovs_momentum,
    )


def _batch_size(model: MultilayerPerceptron, n_rows: int) -> int:
    if isinstance(model.batch_size, str):
        return min(200, n_rows)
    if model.batch_size > n_rows:
        warnings.warn(
            f"{type(model).__name__}: Got `batch_size` less than 1 or larger than sample size "
            f"({model.batch_size} of {n_rows} rows). It is going to be clipped.",
            StylobateWarning,
            stacklevel=user_stacklevel(),
        )
    return min(int(model.batch_size), n_rows)


def _split(
    model: MultilayerPerceptron, x: Any, y: Targets
) -> tuple[Integers, tuple[Any, Any, Any] | None]:
    """Numbers of the rows to learn from, and the held-out rows with targets and weights."""
    n = int(x.shape[0])
    if not model.early_stopping:
        return np.arange(n), None
    from stylobate.splits import ShuffleSplit, StratifiedShuffleSplit

    stratified = y.codes is not None and model.n_outputs_ == 1
    kind = StratifiedShuffleSplit if stratified else ShuffleSplit
    splitter = kind(1, test_size=model.validation_fraction, random_state=model._random_state)
    rows, held = next(iter(splitter.split(np.empty((n, 1)), y.codes if stratified else None)))
    if len(held) < 2:
        raise InvalidDataError(
            f"{type(model).__name__}: The validation set is too small ({len(held)} row). Increase "
            "'validation_fraction' or the size of your dataset."
        )
    target = y.values if y.codes is None else y.codes
    assert target is not None
    weights = None if y.weights is None else y.weights[held]
    return rows.astype(np.int64), (x[held], target[held], weights)


def _end_epoch(
    model: MultilayerPerceptron,
    network: Perceptron,
    n_rows: int,
    x: Any,
    held: tuple[Any, Any, Any] | None,
) -> None:
    """Books of an epoch: the loss or the score, and whether it was progress."""
    model.n_iter_ += 1
    model.t_ += n_rows
    model.loss_curve_.append(model.loss_)
    if model.verbose:
        print(f"Iteration {model.n_iter_}, loss = {model.loss_:.8f}")
    if held is None:
        worse = model.loss_ > model.best_loss_ - model.tol
        model.best_loss_ = min(model.best_loss_, model.loss_)
    else:
        score = model._held_out_score(network.outputs(held[0]), held[1], held[2])
        model.validation_scores_.append(score)
        if model.verbose:
            print(f"Validation score: {score:f}")
        worse = score < model.best_validation_score_ + model.tol
        if score > model.best_validation_score_:
            model.best_validation_score_ = score
            model._best_parameters = network.parameters.copy()
    model._no_improvement_count = model._no_improvement_count + 1 if worse else 0
    model._optimizer.end_epoch(model.t_)


def _stops(model: MultilayerPerceptron) -> bool:
    if model._no_improvement_count <= model.n_iter_no_change:
        return False
    goes_on = model._optimizer.slow_down()
    if model.verbose:
        what = "Validation score" if model.early_stopping else "Training loss"
        then = (
            f"Setting learning rate to {model._optimizer.learning_rate:f}"
            if goes_on
            else "Stopping."
        )
        print(
            f"{what} did not improve more than tol={model.tol:f} for {model.n_iter_no_change} "
            f"consecutive epochs. {then}"
        )
    if goes_on:
        model._no_improvement_count = 0
    return not goes_on


def _warn_unconverged(model: MultilayerPerceptron) -> None:
    warnings.warn(
        f"{type(model).__name__}: Stochastic Optimizer: Maximum iterations ({model.max_iter}) "
        "reached and the optimization hasn't converged yet. Raise max_iter, scale the columns to "
        "mean 0 and variance 1, or change learning_rate_init.",
        joined(ConvergenceWarning),
        stacklevel=user_stacklevel(),
    )
