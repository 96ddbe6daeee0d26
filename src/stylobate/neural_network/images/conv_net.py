"""Convolutional networks that predict labels of images."""

from __future__ import annotations

from math import inf, isqrt
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.base import BaseEstimator, ClassifierMixin, Interval, Options, RandomState
from stylobate.base.classes import agreed_classes, class_weights, codes_among
from stylobate.base.randomness import stream_of
from stylobate.data import read_labels
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.neural_network.exchange.stored import check_conv_net
from stylobate.neural_network.images.default_layers import default_layers, with_outputs
from stylobate.neural_network.images.image_arrays import as_images, image_shape_of
from stylobate.neural_network.images.parameters import (
    Augmentations,
    ImageShape,
    LayerSequence,
)
from stylobate.neural_network.images.pixels import PixelAugmentation, PixelNetwork, PixelScale
from stylobate.neural_network.layers.layer import Layer
from stylobate.neural_network.network import Network
from stylobate.neural_network.training import Training, TrainingPlan
from stylobate.optimize.methods.adaptive import Adam


class ConvNetClassifier(ClassifierMixin, BaseEstimator):
    r"""A convolutional network for images.

    .. math:: \min_\theta \; \frac{1}{\sum_i \omega_i} \sum_i -\omega_i \log p_\theta(y_i \mid
              x_i) + \tfrac{\alpha}{2} \|W\|^2

    trained by Adam on pixels of mean 0 and variance 1 in every channel, the best epoch kept: in
    float32 for images of whole numbers or of float32, which takes half of the time of float64. The
    same bits come out with any number of threads. `to_onnx` takes rows of pixels, and writes
    convolutions in float32, for which alone onnxruntime has them.

    Parameters
    ----------
    layers : sequence of layers, optional
        What lies before the outputs; a dense layer with softmax is added unless they end with one.
        By default two or three convolutions with poolings, and 128 dense units.
    image_shape : tuple of int in [1, inf), optional
        (height, width) or (channels, height, width), for rows of pixels. Without it rows of a
        square number of pixels are square images, and others images of one row.
    augmentation : transform or sequence of them, optional
        Changes of every batch, in units of the pixels: `RandomShift`, `RandomRotation`,
        `RandomFlip`, `RandomBrightness`, `RandomNoise`, `AdversarialTraining`, or functions of
        (images, generator).
    standardize : bool, default=True
        Whether channels are brought to mean 0 and variance 1.
    alpha : float in [0, inf), default=0.0001
        Penalty of the weights.
    batch_size : int in [1, inf), default=64
        Images per step.
    learning_rate_init : float in (0, inf), default=0.001
        Length of Adam's steps.
    max_iter : int in [1, inf), default=30
        Epochs at most.
    tol : float in [0, inf), default=1e-4
        Progress that counts.
    n_iter_no_change : int in [1, inf), default=10
        Epochs without progress before training ends.
    early_stopping : bool, default=False
        Whether to hold images out and keep the epoch with the best accuracy on them.
    validation_fraction : float in (0, 1), default=0.1
        Share of the images held out.
    class_weight : mapping from class to float, "balanced" or None, default=None
        Factors of the classes' losses.
    random_state : int, RandomState or None, default=None
        Seed of weights, orders, dropout, augmentation and held-out images.
    verbose : bool, default=False
        Whether to show a bar with the curve of losses.

    Attributes
    ----------
    classes_ : array
        Labels.
    layers_ : tuple of layers
    image_shape_ : tuple of int
        (channels, height, width).
    loss_curve_ : list of float
        The mean penalised loss met in every epoch.
    validation_scores_ : list of float
        Accuracies on held-out images; `best_validation_score_`: that of the epoch kept.
    trace_ : dict of str to list
        "epoch", "loss" and, with early stopping, "accuracy".
    n_iter_, best_epoch_ : int
        Epochs made, and the one kept.
    n_features_in_, feature_names_in_
        As in scikit-learn; features are pixels.

    References
    ----------
    LeCun et al. (1998), Gradient-based learning applied to document recognition. Kingma & Ba
    (2015), Adam.

    Examples
    --------
    >>> bars = np.zeros((40, 6, 6))
    >>> bars[:20, :, 2] = bars[20:, 2] = 1.0
    >>> y = np.repeat(["upright", "level"], 20)
    >>> model = ConvNetClassifier(max_iter=5, batch_size=8, random_state=0).fit(bars, y)
    >>> model.predict(bars[[0, 39]]).tolist()
    ['upright', 'level']
    """

    classes_: NDArray[Any]
    layers_: tuple[Layer, ...]
    image_shape_: tuple[int, int, int]
    loss_curve_: list[float]

    def __init__(
        self,
        layers: Annotated[Any, LayerSequence()] | None = None,
        image_shape: Annotated[Any, ImageShape()] | None = None,
        *,
        augmentation: Annotated[Any, Augmentations()] | None = None,
        standardize: bool = True,
        alpha: Annotated[float, Interval(0, inf)] = 0.0001,
        batch_size: Annotated[int, Interval(1, inf)] = 64,
        learning_rate_init: Annotated[float, Interval(0, inf, "neither")] = 0.001,
        max_iter: Annotated[int, Interval(1, inf)] = 30,
        tol: Annotated[float, Interval(0, inf)] = 1e-4,
        n_iter_no_change: Annotated[int, Interval(1, inf)] = 10,
        early_stopping: bool = False,
        validation_fraction: Annotated[float, Interval(0, 1, "neither")] = 0.1,
        class_weight: dict[Any, float] | Annotated[str, Options("balanced")] | None = None,
        random_state: RandomState = None,
        verbose: bool = False,
    ) -> None:
        self.layers = layers
        self.image_shape = image_shape
        self.augmentation = augmentation
        self.standardize = standardize
        self.alpha = alpha
        self.batch_size = batch_size
        self.learning_rate_init = learning_rate_init
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.random_state = random_state
        self.verbose = verbose

    # --- fitting ----------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Train.

        Parameters
        ----------
        X : array-like of shape (n, height, width), (n, channels, height, width) or (n, pixels)
            Images.
        y : array-like of shape (n,)
            Labels.
        sample_weight : array-like of shape (n,), optional
            Factors of the images' losses.

        Returns
        -------
        self
        """
        self._check_parameters()
        images, weights = self._pictures(X, sample_weight, reset=True)
        self.classes_, codes = read_labels(y, owner=type(self).__name__, n_rows=len(images))
        weights = self._weighted(codes, weights)
        network = self._begun(images, weights)
        plan = self._plan(weights, len(codes), self.max_iter)
        self._keep(network.train(self._scale.standard(images), codes, "cross_entropy", **plan))
        return self

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None, classes: Any = None) -> Self:
        """One epoch over some images, from where the last call stopped.

        Parameters
        ----------
        X, y, sample_weight
            As of `fit`. The first call's images say how pixels are standardised.
        classes : array-like of shape (n_classes,), optional
            All labels there will be; needed in the first call.

        Returns
        -------
        self
        """
        self._check_parameters()
        name = type(self).__name__
        if self.early_stopping:
            raise InvalidParameterError(
                f"{name}: partial_fit does not support early_stopping=True, for it makes one pass "
                "over the images it is given."
            )
        first = not hasattr(self, "_moments")  # a call that was refused has begun nothing
        self.classes_ = agreed_classes(None if first else self.classes_, classes, name)
        images, weights = self._pictures(X, sample_weight, reset=first)
        codes = codes_among(self.classes_, y, owner=type(self).__name__, n_rows=len(images))
        weights = self._weighted(codes, weights)
        network = self._begun(images, weights) if first else self.network_
        before = {"after": None} if first else {"after": self._gone_on(network)}
        plan = self._plan(weights, len(codes), 1) | before
        losses = [] if first else self.loss_curve_
        found = network.train(self._scale.standard(images), codes, "cross_entropy", **plan)
        self._keep(found)
        self.loss_curve_ = losses + self.loss_curve_
        self.n_iter_ = self.best_epoch_ = len(self.loss_curve_)
        self.trace_ = {"epoch": [*range(1, self.n_iter_ + 1)], "loss": list(self.loss_curve_)}
        return self

    def _pictures(
        self, X: Any, sample_weight: Any, *, reset: bool
    ) -> tuple[NDArray[Any], NDArray[np.float64] | None]:
        """Images as (n, channels, height, width), through the door."""
        name, shape = type(self).__name__, None if reset else self.image_shape_
        if getattr(X, "ndim", 2) > 2 or (isinstance(X, list | tuple) and np.ndim(X) > 2):
            given = as_images(X, self.image_shape if reset else shape, name)
            shape = given.shape[1:]
            X = given.reshape(len(given), -1)
        table = self._read(X, None, sample_weight, reset=reset, y_required=False)
        if reset:
            self.image_shape_ = self._shape_of(table.x.shape[1]) if shape is None else shape
        rows = np.asarray(table.x, dtype=self._precision(X, table.x.dtype))
        return rows.reshape(len(rows), *self.image_shape_), table.weights

    @staticmethod
    def _precision(X: Any, read: Any) -> Any:
        """Floating-point images keep theirs; whole numbers, as of most files, need no more."""
        kind = getattr(getattr(X, "dtype", None), "kind", "f")
        return np.float32 if kind in "biu" else read

    def _shape_of(self, pixels: int) -> tuple[int, int, int]:
        """Of rows of pixels."""
        if self.image_shape is None:
            side = isqrt(pixels)
            return (1, side, side) if side * side == pixels else (1, 1, pixels)
        shape = image_shape_of(self.image_shape, type(self).__name__)
        as_images(np.empty((1, pixels)), shape, type(self).__name__)  # refuses other numbers
        return shape

    def _begun(self, images: NDArray[Any], weights: Any) -> Network:
        """A network with its first weights; the scale of pixels."""
        channels = self.image_shape_[0]
        self._scale = PixelScale.plain(channels)
        if self.standardize:
            self._scale = PixelScale.of(images, weights)
        self._seed = int(stream_of(self.random_state).randint(1 << 31))
        given = default_layers(self.image_shape_) if self.layers is None else self.layers
        self.layers_ = with_outputs(given, self.image_shape_, len(self.classes_))
        network = Network(
            self.layers_, self.image_shape_, random_state=self._seed, dtype=images.dtype
        )
        if network.output_shape != (len(self.classes_),):
            raise InvalidDataError(
                f"{type(self).__name__}: layers end with {network.output_shape[0]} probabilities, "
                f"but y has {len(self.classes_)} classes; leave the last Dense and softmax out."
            )
        return network

    def _weighted(self, codes: Any, weights: Any) -> NDArray[np.float64] | None:
        """Weights of the images, times those of their classes."""
        if self.class_weight is None:
            return None if weights is None else np.asarray(weights)
        factors = class_weights(
            self.class_weight, self.classes_, codes, owner=type(self).__name__,
            sample_weight=weights,
        )[codes]  # fmt: skip
        return factors if weights is None else np.asarray(factors * weights)

    def _plan(self, weights: Any, n_images: int, epochs: int) -> dict[str, Any]:
        """What `Network.train` is asked for."""
        steps = self._steps()
        rate = float(self.learning_rate_init)
        method = Adam(rate, batch=min(int(self.batch_size), n_images), random_state=self._seed)
        held = self.early_stopping and epochs > 1
        return {
            "method": method,
            "epochs": int(epochs),
            "weight_decay": float(self.alpha),
            "sample_weight": weights,
            "validation": float(self.validation_fraction) if held else None,
            "scoring": "accuracy" if held else None,
            "patience": int(self.n_iter_no_change),
            "tol": float(self.tol),
            "augment": PixelAugmentation(steps, self._scale) if steps else None,
            "progress": None if self.verbose else False,
        }

    def _steps(self) -> tuple[Any, ...]:
        """The augmentations asked for, as a sequence."""
        given = () if self.augmentation is None else self.augmentation
        return tuple(given) if isinstance(given, tuple | list) else (given,)

    def _keep(self, found: Training) -> None:
        self._parameters, self._state = found.network.parameters, found.network.state
        run = found._run
        assert run is not None
        self._moments = (run.updates.first, run.updates.second, int(run.updates.count))
        self.loss_curve_ = [float(loss) for loss in found.losses]
        self.validation_scores_ = [float(score) for score in found.scores]
        self.best_validation_score_ = max(self.validation_scores_, default=None)
        self.n_iter_, self.best_epoch_ = len(found.losses), int(found.best_epoch)
        self.trace_ = {"epoch": [*range(1, self.n_iter_ + 1)], "loss": list(self.loss_curve_)}
        if found.scores:
            self.trace_["accuracy"] = list(self.validation_scores_)

    def _gone_on(self, network: Network) -> Training:
        """A training that stands where the last call stopped, its books empty."""
        from stylobate.neural_network.epochs import Run

        first, second, count = self._moments
        plan = TrainingPlan(
            method=Adam(float(self.learning_rate_init), random_state=self._seed),
            weight_decay=float(self.alpha),
        )
        run = Run.of(network, plan)
        run.updates.first[:], run.updates.second[:], run.updates.count = first, second, count
        run.draw = np.random.default_rng([self._seed, count])
        return Training(network, [], 1, "", _run=run)

    # --- answering --------------------------------------------------------------------------------

    @property
    def network_(self) -> Network:
        """The trained network, which takes standardised pixels."""
        self._check_fitted()
        begun = Network(self.layers_, self.image_shape_, random_state=self._seed)
        return begun.with_parameters(self._parameters, self._state)

    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Probabilities of the labels.

        Parameters
        ----------
        X : array-like
            Images, as of `fit`.

        Returns
        -------
        array of shape (n, n_classes)
            In the order of ``classes_``.
        """
        self._check_fitted()
        images, _ = self._pictures(X, None, reset=False)
        outputs = self.network_.predict(self._scale.standard(images)).astype(np.float64)
        return np.asarray(outputs / outputs.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> NDArray[Any]:
        """The likeliest label of every image.

        Parameters
        ----------
        X : array-like
            Images, as of `fit`.

        Returns
        -------
        array of shape (n,)
        """
        chances = self.predict_proba(X)  # which says so where nothing is fitted yet
        return np.asarray(self.classes_[chances.argmax(axis=1)])

    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Logarithms of the probabilities.

        Parameters
        ----------
        X : array-like
            Images, as of `fit`.

        Returns
        -------
        array of shape (n, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.predict_proba(X)))

    def input_gradient(self, X: Any, y: Any) -> NDArray[Any]:
        """Derivatives of the mean cross-entropy by the pixels: what adversaries follow.

        Parameters
        ----------
        X : array-like
            Images, as of `fit`.
        y : array-like of shape (n,)
            Labels.

        Returns
        -------
        array of shape (n, channels, height, width)
        """
        self._check_fitted()
        images, _ = self._pictures(X, None, reset=False)
        codes = codes_among(self.classes_, y, owner=type(self).__name__, n_rows=len(images))
        return PixelNetwork(self.network_, self._scale).input_gradient(images, codes)

    # --- files ------------------------------------------------------------------------------------

    def _onnx_graph(self, before: Any = None) -> Any:
        from stylobate.neural_network.exchange.onnx_export import conv_net_graph

        return conv_net_graph(self, before)

    def _check_loaded(self) -> None:
        check_conv_net(self)
