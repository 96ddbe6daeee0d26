"""Multi-layer perceptrons that predict labels."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import ClassifierMixin, Interval, Options, RandomState, Tags
from stylobate.base.availability import available_if
from stylobate.base.scoring import accuracy
from stylobate.base.tallies import LabelTally, scored_by
from stylobate.data import read_weights
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.labels import Labels
from stylobate.neural_network.layer_sizes import LayerSizes
from stylobate.neural_network.perceptron import (
    ACTIVATIONS,
    SCHEDULES,
    SOLVERS,
    MultilayerPerceptron,
    is_stochastic,
    only_stochastic,
)


class MLPClassifier(ClassifierMixin, MultilayerPerceptron):
    r"""A multi-layer perceptron for classification.

    .. math:: a_0 = x, \quad a_l = f(a_{l-1} W_l + b_l), \quad
              \min_{W, b} \; \frac{1}{\sum_i \omega_i}
              \Bigl( -\sum_i \omega_i \log p(y_i \mid x_i) + \tfrac{\alpha}{2}\sum_l \|W_l\|^2
              \Bigr)

    with p the softmax of the last layer, or its logistic function for two classes and for several
    labels at a time. The same `random_state` draws the same weights and orders as scikit-learn's,
    so training curves agree to rounding; the same bits come out with any number of threads.

    Parameters
    ----------
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
        Whether to hold rows out and keep the weights with the best accuracy on them.
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
    classes_ : array
        Labels.
    coefs_, intercepts_ : list of array
        Weights and biases of the layers.
    loss_ : float
        The last loss; `best_loss_`: the least (None with early stopping).
    loss_curve_ : list of float
        The mean loss met in every epoch.
    validation_scores_ : list of float or None
        Accuracies on held-out rows; `best_validation_score_`: the highest.
    n_iter_, t_ : int
        Epochs, and rows seen.
    n_layers_, n_outputs_ : int
    out_activation_ : str
    n_features_in_, feature_names_in_
        As in scikit-learn.

    Examples
    --------
    >>> X, y = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], ["even", "odd", "odd", "even"]
    >>> model = MLPClassifier((8,), "tanh", solver="lbfgs", random_state=1).fit(X, y)
    >>> model.predict(X).tolist()
    ['even', 'odd', 'odd', 'even']

    References
    ----------
    Rumelhart, Hinton & Williams (1986), Learning representations by back-propagating errors. Glorot
    & Bengio (2010), on initial weights. Kingma & Ba (2015), Adam.
    """

    classes_: NDArray[Any]
    _labels: Labels

    def __init__(
        self,
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
        return super()._tags().but(multi_label=True)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows, best with columns of mean 0 and variance 1.
        y : array-like of shape (n,), or zeros and ones of shape (n, n_labels)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Factors of the rows' losses.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, incremental=False)

    @available_if(is_stochastic, only_stochastic)
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """One epoch over some rows, from where the last call stopped.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.

        Returns
        -------
        self
        """
        self._check_parameters()
        known = self._labels if hasattr(self, "classes_") else None
        self._labels = Labels.announced(classes, y, known, type(self).__name__)
        self.classes_ = self._labels.classes
        return self._fit(X, y, sample_weight, incremental=True)

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest label of every row; for several labels at a time, zeros and ones.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n,) or (n, n_labels)
        """
        outputs = self._outputs(X)  # which says so where nothing is fitted yet
        decided: NDArray[Any] = self._labels.decided(outputs)
        return decided

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Probabilities of the labels.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``.
        """
        outputs = self._outputs(X)
        if outputs.shape[1] == 1:
            return np.hstack([1 - outputs, outputs])
        return outputs

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Logarithms of the probabilities.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.

        Returns
        -------
        array of shape (n, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    @scored_by(LabelTally)
    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of rows whose label, or whose labels all, are predicted.

        Parameters
        ----------
        X : array-like, sparse or data frame of shape (n, n_features)
            Rows.
        y : array-like of shape (n,), or zeros and ones of shape (n, n_labels)
            Their labels.
        sample_weight : array-like of shape (n,), optional
            Non-negative weights of the rows.

        Returns
        -------
        float
            In [0, 1].
        """
        self._check_fitted()
        if self._labels.kind != "multilabel":
            return super().score(X, y, sample_weight)
        outputs = self._outputs(X)
        truth, _ = self._labels.targets(y, len(outputs), type(self).__name__)
        weights = read_weights(sample_weight, len(outputs), owner=type(self).__name__)
        return self._held_out_score(outputs, truth, weights)

    def _onnx_graph(self, before: Any = None) -> Any:
        from stylobate.neural_network.exchange.onnx_export import classifier_graph

        return classifier_graph(self, before)

    # --- labels -----------------------------------------------------------------------------------

    def _read_rows(
        self, X: Any, y: Any, sample_weight: Any, *, first: bool, incremental: bool
    ) -> tuple[Any, Targets, int]:
        table = self._read(X, None, sample_weight, reset=first, y_required=False)
        name = type(self).__name__
        if not hasattr(self, "classes_") or (not self.warm_start and not incremental):
            self._labels = Labels.of(y, table.n_rows, name)
            self.classes_ = self._labels.classes
        else:
            self._labels.refuse_others(y, name, all_needed=self.warm_start)
        values, codes = self._labels.targets(y, table.n_rows, name)
        return table.x, Targets(values, codes, table.weights), self._labels.n_outputs

    def _output_activation(self) -> str:
        return "softmax" if self._labels.kind == "multiclass" else "logistic"

    def _held_out_score(self, outputs: Any, target: Any, weights: Any) -> float:
        if not np.isfinite(outputs).all():
            return float("nan")
        if self._labels.kind == "multilabel":
            right = ((outputs > 0.5) == (target > 0.5)).all(axis=1)
            return float(np.average(right, weights=weights))
        found = outputs.argmax(axis=1) if outputs.shape[1] > 1 else outputs[:, 0] > 0.5
        return accuracy(target, found.astype(target.dtype), weights)
