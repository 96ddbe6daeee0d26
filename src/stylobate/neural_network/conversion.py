"""Fitted perceptrons as networks of layers, to look into them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.exceptions import InvalidParameterError
from stylobate.neural_network.layers.activation import Activation
from stylobate.neural_network.layers.dense import Dense
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.network import Network
from stylobate.neural_network.perceptron import MultilayerPerceptron

if TYPE_CHECKING:
    from stylobate.neural_network.diagnosis import Diagnosis

_KINDS = {"logistic": "sigmoid", "tanh": "tanh", "relu": "relu", "softmax": "softmax"}


def as_network(model: Any) -> Network:
    """A fitted `MLPClassifier` or `MLPRegressor` as a `Network` with the same outputs.

    Parameters
    ----------
    model : Network, MLPClassifier or MLPRegressor
        A network is returned as it is. Of a regressor with ``loss="poisson"`` there is none.

    Examples
    --------
    >>> from stylobate.neural_network import MLPRegressor
    >>> x = np.linspace(-1, 1, 20)[:, None]
    >>> model = MLPRegressor(hidden_layer_sizes=(4,), solver="lbfgs", random_state=0)
    >>> model = model.fit(x, x[:, 0] ** 2)
    >>> bool(np.allclose(as_network(model).predict(x)[:, 0], model.predict(x)))
    True
    """
    if isinstance(model, Network):
        return model
    if not isinstance(model, MultilayerPerceptron):
        raise InvalidParameterError(
            "as_network takes a Network, or a fitted MLPClassifier or MLPRegressor, got a "
            f"{type(model).__name__}."
        )
    model._check_fitted()
    if model.out_activation_ not in ("identity", *_KINDS):
        raise InvalidParameterError(
            f"{type(model).__name__}: outputs of {model.out_activation_!r} are no layer of a "
            "Network; those of identity, logistic and softmax are."
        )
    kinds = [model.activation] * (len(model.coefs_) - 1) + [model.out_activation_]
    layers: list[Layer] = []
    for weights, kind in zip(model.coefs_, kinds, strict=True):
        layers.append(Dense(weights.shape[1]))
        if kind != "identity":
            layers.append(Activation(_KINDS[kind]))
    pairs = zip(model.coefs_, model.intercepts_, strict=True)
    parameters = np.concatenate([part.ravel() for pair in pairs for part in pair])
    network = Network(layers, len(model.coefs_[0]), dtype=parameters.dtype)
    return network.with_parameters(parameters)


def diagnose_layers(model: Any, X: Any, y: Any) -> Diagnosis:
    """What the layers of a fitted perceptron do: `Network.diagnose` for scikit-learn's surface.

    Parameters
    ----------
    model : MLPClassifier or MLPRegressor
        Fitted.
    X : array-like of shape (n, n_features)
        Rows; some hundred are enough.
    y : array-like of shape (n,) or (n, n_outputs)
        Their targets, as `fit` takes them.

    Returns
    -------
    Diagnosis

    Examples
    --------
    >>> from stylobate.neural_network import MLPClassifier
    >>> x = np.random.default_rng(0).normal(size=(60, 2)) * 1000
    >>> y = np.where(x[:, 0] > 0, "right", "left")
    >>> model = MLPClassifier((8,), activation="tanh", solver="lbfgs", random_state=0).fit(x, y)
    >>> diagnose_layers(model, x, y).findings()[0][:55]
    '2 Activation (tanh): 100 % of its outputs are saturated'
    """
    network, owner = as_network(model), type(model).__name__
    given = model._read(X, reset=False).x
    rows = np.asarray(given.toarray() if hasattr(given, "toarray") else given, dtype=np.float64)
    if not hasattr(model, "classes_"):
        return network.diagnose(rows, np.asarray(y, dtype=np.float64), "squared")
    values, codes = model._labels.targets(y, len(rows), owner)
    if codes is None:
        raise InvalidParameterError(
            f"{owner}: layers are diagnosed with one label a row; this model was fitted to several "
            f"({values.shape[1]})."
        )
    return network.diagnose(rows, codes.astype(np.int64), "cross_entropy")
