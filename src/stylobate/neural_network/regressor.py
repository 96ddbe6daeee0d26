"""Multi-layer perceptrons that predict numbers."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import Interval, Options, RandomState, RegressorMixin, Tags
from stylobate.base.availability import available_if
from stylobate.base.scoring import r_squared
from stylobate.exceptions import InvalidDataError
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.layer_sizes import LayerSizes
from stylobate.neural_network.perceptron import (
    ACTIVATIONS,
    SCHEDULES,
    SOLVERS,
    MultilayerPerceptron,
    is_stochastic,
    only_stochastic,
)

LOSSES = ("squared_error", "poisson")


class MLPRegressor(RegressorMixin, MultilayerPerceptron):
    r"""A multi-layer perceptron for regression.

    .. math:: a_0 = x, \quad a_l = f(a_{l-1} W_l + b_l), \quad
              \min_{W, b} \; \frac{1}{\sum_i \omega_i}
              \Bigl( \sum_i \omega_i\,\ell(y_i, a_L(x_i)) + \tfrac{\alpha}{2}\sum_l \|W_l\|^2
              \Bigr)

    The loss ℓ is half the squared error, or half the Poisson deviance with an exponential output.
    The same `random_state` draws the same weights and orders as scikit-learn's, so training curves
    agree to rounding; the same bits come out with any number of threads.

    Parameters
    ----------
    loss : {"squared_error", "poisson"}, default="squared_error"
        ½(y − z)², or y·log(y/z) − y + z for y >= 0.
    hidden_layer_sizes : int or sequence of int in [1, inf), default=(100,)
        Units of the hidden layers.
    activation : {"identity", "logistic", "tanh", "relu"}, default="relu"
        f of the hidden layers.
    solver : {"lbfgs", "sgd", "adam"}, default="adam"
        L-BFGS on all rows, gradient descent with momentum, or Adam.
    alpha : float in [0, inf), default=0.0001
        Penalty of the weights (not of the biases), divided by the batch's weight.
    batch_size : int in [1, inf) or "auto", default="auto"
        Rows per step; "auto": min(200, n).
    learning_rate : {"constant", "invscaling", "adaptive"}, default="constant"
        Of "sgd": fixed; ``learning_rate_init / t**power_t``; divided by 5 when progress stops.
    learning_rate_init : float in (0, inf), default=0.001
        Length of the first steps.
    power_t : float in [0, inf), default=0.5
        See `learning_rate`.
    max_iter : int in [1, inf), default=200
        Epochs (steps of "lbfgs") at most.
    shuffle : bool, default=True
        Whether every epoch takes the rows in a new order.
    random_state : int, RandomState or None, default=None
        Seed of weights, orders and held-out rows.
    tol : float in [0, inf), default=1e-4
        Progress that counts; for "lbfgs" the largest entry of the gradient that is good enough.
    verbose : bool or int in [0, inf), default=False
        Whether to print the loss of every epoch.
    warm_start : bool, default=False
        Whether `fit` starts from the last answer.
    momentum : float in [0, 1], default=0.9
        Of "sgd".
    nesterovs_momentum : bool, default=True
        Of "sgd".
    early_stopping : bool, default=False
        Whether to hold rows out and keep the weights with the best R² on them.
    validation_fraction : float in [0, 1), default=0.1
        Share of the rows held out.
    beta_1, beta_2 : float in [0, 1), default=0.9 and 0.999
        Of Adam's running means.
    epsilon : float in (0, inf), default=1e-8
        Of Adam.
    n_iter_no_change : int in [1, inf), default=10
        Epochs without progress before training ends.
    max_fun : int in [1, inf), default=15000
        Evaluations of "lbfgs" at most.

    Attributes
    ----------
    coefs_, intercepts_ : list of array
        Weights and biases of the layers.
    loss_ : float
        The last loss; `best_loss_`: the least (None with early stopping).
    loss_curve_ : list of float
        The mean loss met in every epoch.
    validation_scores_ : list of float or None
        R² on held-out rows; `best_validation_score_`: the highest.
    n_iter_, t_ : int
        Epochs, and rows seen.
    n_layers_, n_outputs_ : int
    out_activation_ : str
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.linspace(-2, 2, 80)[:, np.newaxis]
    >>> model = MLPRegressor(hidden_layer_sizes=(16,), activation="tanh", solver="lbfgs",
    ...                      max_iter=500, random_state=0).fit(x, np.sin(2 * x[:, 0]))
    >>> model.score(x, np.sin(2 * x[:, 0])) > 0.99
    True

    References
    ----------
    Rumelhart, Hinton & Williams (1986), Learning representations by back-propagating errors. Glorot
    & Bengio (2010), on initial weights. Kingma & Ba (2015), Adam.
    """

    def __init__(
        self,
        loss: Annotated[str, Options(*LOSSES)] = "squared_error",
        hidden_layer_sizes: Annotated[Any, LayerSizes()] = (100,),
        activation: Annotated[str, Options(*ACTIVATIONS)] = "relu",
        *,
        solver: Annotated[str, Options(*SOLVERS)] = "adam",
        alpha: Annotated[float, Interval(0, inf)] = 0.0001,
        batch_size: Annotated[int, Interval(1, inf)] | Annotated[str, Options("auto")] = "auto",
        learning_rate: Annotated[str, Options(*SCHEDULES)] = "constant",
        learning_rate_init: Annotated[float, Interval(0, inf, "neither")] = 0.001,
        power_t: Annotated[float, Interval(0, inf)] = 0.5,
        max_iter: Annotated[int, Interval(1, inf)] = 200,
        shuffle: bool = True,
        random_state: RandomState = None,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        verbose: Annotated[int, Interval(0, inf)] | bool = False,
        warm_start: bool = False,
        momentum: Annotated[float, Interval(0, 1, "both")] = 0.9,
        nesterovs_momentum: bool = True,
        early_stopping: bool = False,
        validation_fraction: Annotated[float, Interval(0, 1)] = 0.1,
        beta_1: Annotated[float, Interval(0, 1)] = 0.9,
        beta_2: Annotated[float, Interval(0, 1)] = 0.999,
        epsilon: Annotated[float, Interval(0, inf, "neither")] = 1e-8,
        n_iter_no_change: Annotated[int, Interval(1, inf)] | Annotated[float, Options(inf)] = 10,
        max_fun: Annotated[int, Interval(1, inf)] = 15000,
    ) -> None:
        self.loss = loss
        self.hidden_layer_sizes = hidden_layer_sizes
        self.activation = activation
        self.solver = solver
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate = learning_rate
        self.learning_rate_init = learning_rate_init
        self.power_t = power_t
        self.max_iter = max_iter
        self.shuffle = shuffle
        self.random_state = random_state
        self.tol = tol
        self.verbose = verbose
        self.warm_start = warm_start
        self.momentum = momentum
        self.nesterovs_momentum = nesterovs_momentum
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.n_iter_no_change = n_iter_no_change
        self.max_fun = max_fun

    def _tags(self) -> Tags:
        return super()._tags().but(multi_output=True)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, best with columns of mean 0 and variance 1.
        y : array-like of shape (n,) or (n, n_outputs)
            Numbers to predict.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, incremental=False)

    @available_if(is_stochastic, only_stochastic)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """One epoch over some rows, from where the last call stopped.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, incremental=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """The numbers the network predicts.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_outputs)
        """
        outputs = self._outputs(X)
        return outputs.ravel() if outputs.shape[1] == 1 else outputs

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any, *, first: bool, incremental: bool
    ) -> tuple[Any, Targets, int]:
        table = self._read(X, y, sample_weight, reset=first, y_required=True)
        assert table.y is not None
        if self.loss == "poisson" and (table.y < 0).any():
            raise InvalidDataError(
                f"{type(self).__name__}: y holds {table.y.min():g}, but loss='poisson' is for "
                "numbers >= 0."
            )
        return table.x, Targets(table.y, None, table.weights), int(table.y.shape[1])

    def _output_activation(self) -> str:
        return "exp" if self.loss == "poisson" else "identity"

    def _held_out_score(self, outputs: Any, target: Any, weights: Any) -> float:
        if not np.isfinite(outputs).all():
            return float("nan")
        return r_squared(target, outputs.astype(np.float64), weights)

    def _onnx_graph(self, before: Any = None) -> Any:
        from stylobate.neural_network.exchange.onnx_export import regressor_graph

        return regressor_graph(self, before)
