"""Networks out of model files: built from parts that were checked to belong together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from stylobate.exceptions import InvalidParameterError, ModelFileError
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.layout import places_of, views, walk

if TYPE_CHECKING:
    from stylobate.neural_network.autoencoders.autoencoder import Autoencoder
    from stylobate.neural_network.images.conv_net import ConvNetClassifier
    from stylobate.neural_network.network import Network
    from stylobate.neural_network.perceptron import MultilayerPerceptron

LARGEST_EXAMPLE = 2**27  # numbers between two layers for one example: a gigabyte


def restored(layers: Any, input_shape: Any, parameters: Any, state: Any) -> Network:
    """A network of layers and arrays of a file.

    Raises
    ------
    ModelFileError
        If they do not fit together.

    Examples
    --------
    >>> from stylobate.neural_network import Dense
    >>> restored((Dense(1),), (2,), np.zeros(3), np.zeros(0))
    Network of 1 layers, 3 parameters
    """
    from stylobate.neural_network.network import Network

    sizes = isinstance(input_shape, tuple) and all(
        type(size) is int and size >= 1 for size in input_shape
    )
    if not sizes or not input_shape or prod(input_shape) > LARGEST_EXAMPLE:
        _refuse(f"has the input shape {str(input_shape)[:50]}")
    if not isinstance(layers, tuple) or not layers:
        _refuse("has no layers")
    if not all(isinstance(layer, Layer) for layer in layers):
        _refuse("has layers that are none")
    if not _is_vector(parameters, ("float32", "float64")) or not _is_vector(state, ("float64",)):
        _refuse("has parameters that are no vectors of finite numbers")
    try:  # all shapes are known to be small before anything of their size is made
        places = places_of(layers, input_shape, largest=LARGEST_EXAMPLE)
        network = Network(layers, input_shape, dtype=parameters.dtype)
    except InvalidParameterError as error:
        raise ModelFileError(f"The layers of the file do not fit: {error}") from None
    if (network.n_parameters, len(network.state)) != (len(parameters), len(state)):
        _refuse(
            f"has {len(parameters)} parameters and {len(state)} moments where its layers need "
            f"{network.n_parameters} and {len(network.state)}"
        )
    for place in walk(places):
        if any(abs(number) >= 2**31 for number in _whole_numbers(vars(place.layer).values())):
            _refuse(f"has a layer {place.name} with numbers that no layer takes")
        variance = views(state, place.state).get("variance")
        if variance is not None and variance.min() < 0.0:
            _refuse("has variances below zero")
    return network.with_parameters(parameters, state)


def _whole_numbers(values: Any) -> Iterator[int]:
    for value in values:
        if isinstance(value, tuple):
            yield from _whole_numbers(value)
        elif isinstance(value, int):
            yield value


def _is_vector(value: Any, kinds: tuple[str, ...]) -> bool:
    plain = isinstance(value, np.ndarray) and value.ndim == 1 and str(value.dtype) in kinds
    return plain and bool(np.isfinite(value).all())


def _refuse(words: str, whose: str = "Network") -> NoReturn:
    raise ModelFileError(f"The {whose} of the file {words}.")


def check_perceptron(model: MultilayerPerceptron) -> None:
    """Refuse a fitted perceptron of a file whose layers do not follow each other."""
    state, whose = vars(model), type(model).__name__
    if "coefs_" not in state:
        return
    lost = [name for name in ("intercepts_", "n_outputs_", "out_activation_") if name not in state]
    if lost:
        _refuse(f"lacks {', '.join(lost)}", whose)
    coefs, intercepts = state["coefs_"], state["intercepts_"]
    if not (isinstance(coefs, list) and isinstance(intercepts, list)) or not coefs:
        _refuse("has no lists of coefs_ and intercepts_", whose)
    found = [getattr(each, "shape", ()) for each in (*coefs, *intercepts)]
    ends = [
        int(model.n_features_in_),
        *(shape[-1] if shape else -1 for shape in found[: len(coefs)]),
    ]
    shapes = [(rows, columns) for rows, columns in pairwise(ends)]
    if found != shapes + [(columns,) for _, columns in shapes] or ends[-1] != model.n_outputs_:
        _refuse(f"has layers that do not follow each other: {found}", whose)
    kinds = {str(each.dtype) for each in (*coefs, *intercepts)}
    if len(kinds) > 1 or not kinds <= {"float32", "float64"}:
        _refuse("has weights that are no numbers of one kind", whose)
    if not all(np.isfinite(each).all() for each in (*coefs, *intercepts)):
        _refuse("has weights that are not finite", whose)
    _check_books(model, sum((rows + 1) * columns for rows, columns in shapes), kinds.pop())


def _check_books(model: MultilayerPerceptron, n_parameters: int, kind: str) -> None:
    """What `partial_fit` would go on from."""
    state, whose = vars(model), type(model).__name__
    if state["out_activation_"] not in ("identity", "logistic", "softmax", "exp"):
        _refuse(f"has out_activation_={str(state['out_activation_'])[:50]!r}", whose)
    _check_accounts(model)
    optimizer = state.get("_optimizer")
    if optimizer is None:
        return
    possible = 0.0 <= optimizer.beta_1 <= 1.0 and 0.0 <= optimizer.beta_2 < 1.0
    if optimizer.method == "adam":
        possible = possible and optimizer.beta_1 < 1.0
    if optimizer.steps < 0 or not possible:
        _refuse("remembers an impossible number of steps", whose)
    lengths = (n_parameters, n_parameters if optimizer.method == "adam" else 0)
    for array, length in zip((optimizer.first, optimizer.second), lengths, strict=True):
        if getattr(array, "shape", None) != (length,) or str(array.dtype) != kind:
            _refuse("remembers steps of another network", whose)


def _check_accounts(model: MultilayerPerceptron) -> None:
    state, whose = vars(model), type(model).__name__
    counts = ["n_iter_", "t_"]
    if "loss_curve_" in state or "_optimizer" in state:
        counts.append("_no_improvement_count")
        best = ("best_loss_", "best_validation_score_")
        numbers = [state.get(name) for name in best if state.get(name) is not None]
        lists = isinstance(state.get("loss_curve_"), list) and isinstance(
            state.get("validation_scores_", None), list | None
        )
        if not lists or not numbers or not all(isinstance(each, float) for each in numbers):
            _refuse("has no account of its losses", whose)
    for name in counts:
        value = state.get(name)
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**63:
            _refuse(f"has {name}={str(value)[:50]}", whose)


def check_autoencoder(model: Autoencoder) -> None:
    """Refuse a fitted autoencoder of a file whose two parts do not meet."""
    if "encoder_" not in vars(model):
        return
    columns, units = (int(model.n_features_in_),), model.encoder_.output_shape
    ends = [(part.input_shape, part.output_shape) for part in (model.encoder_, model.decoder_)]
    if ends != [(columns, units), (units, columns)]:
        _refuse(f"has networks that do not lead from {columns[0]} columns to {units[0]} units and "
                "back", "Autoencoder")  # fmt: skip
    number = isinstance(model.scale_, int | float) and not isinstance(model.scale_, bool)
    if not number or not 0.0 < model.scale_ < np.inf:
        _refuse(f"has scale_={str(model.scale_)[:50]}", "Autoencoder")


def check_conv_net(model: ConvNetClassifier) -> None:
    """Refuse a fitted network for images of a file whose parts are not of the same network."""
    state, whose = vars(model), type(model).__name__
    if "_parameters" not in state:  # fitted ones have it: `storage/requirements.py`
        return
    if not _is_ascending(model.classes_):
        _refuse("has no classes in ascending order", whose)
    shape = state["image_shape_"]
    sizes = isinstance(shape, tuple) and len(shape) == 3 and all(type(n) is int for n in shape)
    if not sizes or min(shape) < 1 or prod(shape) != model.n_features_in_:
        _refuse(f"has image_shape_={str(shape)[:50]} for {model.n_features_in_} pixels", whose)
    network = restored(state["layers_"], shape, state["_parameters"], state["_state"])
    last = network.layers[-1]
    if network.output_shape != (len(model.classes_),) or getattr(last, "kind", "") != "softmax":
        _refuse(f"does not end with probabilities of {len(model.classes_)} classes", whose)
    _check_scale(state["_scale"], shape[0], whose)
    _check_epochs(model)
    if type(state["_seed"]) is not int or not 0 <= state["_seed"] < 2**31:
        _refuse(f"has the seed {str(state['_seed'])[:50]}", whose)
    moments, kind = state["_moments"], str(network.parameters.dtype)
    if not isinstance(moments, tuple) or len(moments) != 3 or type(moments[2]) is not int:
        _refuse("does not remember its steps", whose)
    vectors = [each for each in moments[:2] if _is_vector(each, (kind,))]
    if [len(each) for each in vectors] != [network.n_parameters] * 2:
        _refuse("remembers steps of another network", whose)
    if not 0 <= moments[2] < 2**63 or vectors[1].min(initial=0.0) < 0.0:
        _refuse("remembers an impossible number of steps", whose)


def _is_ascending(classes: Any) -> bool:
    """Whether labels are an array in the order in which they are looked up."""
    if not isinstance(classes, np.ndarray) or classes.ndim != 1:
        return False
    try:
        return all(bool(one < other) for one, other in pairwise(classes.tolist()))
    except TypeError:
        return False


def _check_scale(scale: Any, channels: int, whose: str) -> None:
    from stylobate.neural_network.images.pixels import PixelScale

    sound = isinstance(scale, PixelScale)
    for each in (scale.mean, scale.spread) if sound else ():
        sound = sound and _is_vector(each, ("float64",)) and len(each) == channels
    if not sound or not (scale.spread > 0.0).all():
        _refuse(f"has no mean and spread of each of {channels} channels", whose)


def _check_epochs(model: ConvNetClassifier) -> None:
    """The books of the epochs, most of which follow from losses and scores."""
    state, whose = vars(model), type(model).__name__
    losses, scores = state["loss_curve_"], state["validation_scores_"]
    for each in (losses, scores):
        numbers = isinstance(each, list) and all(isinstance(value, float) for value in each)
        if not numbers or not np.isfinite(each).all():
            _refuse("has no lists of losses and scores", whose)
    epochs, best = len(losses), state["best_epoch_"]
    trace = {"epoch": [*range(1, epochs + 1)], "loss": losses} | (
        {"accuracy": scores} if scores else {}
    )
    agree = len(scores) in (0, epochs) and state["n_iter_"] == epochs and state["trace_"] == trace
    agree = agree and state.get("best_validation_score_") == max(scores, default=None)
    if not agree or type(best) is not int or not 1 <= best <= max(epochs, 1):
        _refuse("has no account of its epochs", whose)
