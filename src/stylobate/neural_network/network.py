"""A network as a value: layers, shapes, parameters, derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.losses import Loss
from stylobate.neural_network.derivatives import HasDerivatives
from stylobate.neural_network.exchange.state_dict import ExchangesWeights
from stylobate.neural_network.layers.layer import Layer, Rows
from stylobate.neural_network.layout import (
    first_state,
    places_of,
    started,
    summary_table,
    views,
    walk,
)
from stylobate.neural_network.passes import WINDOW_ROWS, Stage, forward, stages_of
from stylobate.neural_network.training_loss import refuse_not_finite

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from stylobate.neural_network.diagnosis import Diagnosis
    from stylobate.neural_network.diagram import Diagram
    from stylobate.neural_network.training import Training
    from stylobate.optimize.methods.method import Method


class Network(HasDerivatives, ExchangesWeights):
    r"""Layers one behind the other: :math:`f(x) = f_L(\dots f_2(f_1(x)))`.

    Layers may hold layers: `Parallel` branches and `Residual` blocks make graphs of them. Shapes
    are inferred and checked when the network is built; a sentence names the layer that does not
    fit. Networks do not change: training gives a new one. All passes give the same bits for any
    number of threads.

    Parameters
    ----------
    layers : sequence of layers
        `Dense`, `Activation`, `PReLU`, `Dropout`, `Flatten`, `Embedding`, `Conv2d`, `MaxPool2d`,
        `MinPool2d`, `AvgPool2d`, `GlobalAvgPool2d`, `GlobalMaxPool2d`, `BatchNorm`, `LayerNorm`,
        `LocalResponseNorm`, `Parallel`, `Residual`.
    input_shape : int or tuple of int in [1, inf)
        Of one example: features, or (channels, height, width).
    random_state : int in [0, inf), default=0
        Draws the first weights, when they are first asked for.
    dtype : {"float32", "float64"}, default="float64"
        What it computes in.

    Attributes
    ----------
    layers : tuple of layers
    input_shape, output_shape : tuple of int
    parameters : array
        All weights in one vector; read-only.
    state : array
        Running moments of batch normalisations; read-only.
    n_parameters : int

    References
    ----------
    Rumelhart, Hinton & Williams (1986), Learning representations by back-propagating errors.

    Examples
    --------
    >>> from stylobate.neural_network import Activation, Dense
    >>> network = Network([Dense(8), Activation("tanh"), Dense(1)], 2)
    >>> print(network.summary())
    layer         output  parameters
    input         (2,)             0
    1 Dense       (8,)            24
    2 Activation  (8,)             0
    3 Dense       (1,)             9
    total                         33
    """

    _rebuilt_from = ("layers", "input_shape", "parameters", "state")  # what a model file keeps

    def __init__(
        self,
        layers: Sequence[Layer],
        input_shape: int | tuple[int, ...],
        *,
        random_state: int = 0,
        dtype: Any = "float64",
    ) -> None:
        shape = (input_shape,) if isinstance(input_shape, int) else tuple(input_shape)
        if not layers or not shape or min(shape) < 1:
            raise InvalidParameterError(
                f"Network: it needs layers and an input_shape of sizes in [1, inf), got "
                f"{len(layers)} layers and {input_shape!r}."
            )
        if np.dtype(dtype) not in (np.dtype("float32"), np.dtype("float64")):
            raise InvalidParameterError(f"Network: dtype must be float32 or float64, got {dtype}.")
        self.layers = tuple(layers)
        self.input_shape = shape
        self._places = places_of(self.layers, shape)
        self._drawn = np.dtype(dtype), random_state
        self._hold(None, first_state(self._places))

    @classmethod
    def _rebuilt(cls, layers: Any, input_shape: Any, parameters: Any, state: Any) -> Network:
        from stylobate.neural_network.exchange.stored import restored

        return restored(layers, input_shape, parameters, state)

    def _hold(self, parameters: NDArray[Any] | None, state: Array) -> None:
        self._parameters, self.state = parameters, state
        self._stages: list[Stage] | None = None
        self.state.flags.writeable = False
        if parameters is not None:
            parameters.flags.writeable = False

    @property
    def parameters(self) -> NDArray[Any]:
        """All weights in one vector; read-only."""
        if self._parameters is None:  # hundreds of megabytes for some networks: not before needed
            self._hold(started(self._places, *self._drawn), self.state)
        assert self._parameters is not None
        return self._parameters

    # --- what it is -------------------------------------------------------------------------------

    @property
    def output_shape(self) -> tuple[int, ...]:
        """Of the outputs for one example."""
        return self._places[-1].output

    @property
    def n_parameters(self) -> int:
        """Numbers that are learnt."""
        return sum(place.n_parameters for place in self._places)

    def summary(self) -> str:
        """A table of the layers: the shapes behind them and their parameters."""
        return summary_table(self._places, self.input_shape)

    def diagram(self) -> Diagram:
        """Where boxes and lines of a drawing lie."""
        from stylobate.neural_network.diagram import diagram_of

        return diagram_of(self._places, self.input_shape)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the layers as boxes, with the shapes behind them and their parameters.

        Activations, dropout and normalisations stand in the box of the layer before them; equal
        blocks in a row are drawn once.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure by default.
        """
        from stylobate.plot.networks.layers import plot_network

        return plot_network(self.diagram(), ax=ax)

    def __repr__(self) -> str:
        return f"Network of {len(self.layers)} layers, {self.n_parameters:,} parameters"

    def weights(self) -> dict[str, NDArray[Any]]:
        """All weights by name, such as "1 Dense W" or "3 Residual / 1 Conv2d W"; read-only."""
        return {
            f"{place.name} {name}": array
            for place in walk(self._places)
            for name, array in views(self.parameters, place.weights).items()
        }

    def with_parameters(self, parameters: Any, state: Any = None) -> Network:
        """The same layers with other parameters, in their precision.

        Parameters
        ----------
        parameters : array of shape (n_parameters,)
        state : array, optional
            Running moments; those of this network by default.
        """
        given = np.array(parameters)
        kept = np.array(self.state if state is None else state, dtype=np.float64)
        if given.shape != (self.n_parameters,) or kept.shape != self.state.shape:
            raise InvalidDataError(
                f"Network: {self.n_parameters} parameters and {len(self.state)} moments are "
                f"needed, got {given.size} and {kept.size}."
            )
        other = object.__new__(Network)
        other.layers, other.input_shape, other._places = (
            self.layers, self.input_shape, self._places,
        )  # fmt: skip
        dtype = np.float32 if given.dtype == np.float32 else np.float64
        other._drawn = np.dtype(dtype), self._drawn[1]
        other._hold(given.astype(dtype, copy=False), kept)
        return other

    # --- what it does -----------------------------------------------------------------------------

    def predict(self, x: Any) -> NDArray[Any]:
        """The outputs for examples; nothing is dropped, moments are the running ones.

        Parameters
        ----------
        x : array of shape (n, *input_shape)

        Returns
        -------
        array of shape (n, *output_shape)
        """
        rows = self._rows(x)
        outputs = np.empty((len(rows), prod(self.output_shape)), dtype=self.parameters.dtype)
        for first in range(0, len(rows), WINDOW_ROWS):
            part = slice(first, first + WINDOW_ROWS)
            outputs[part] = forward(self._bound(), rows[part], None)[0]
        return outputs.reshape(len(rows), *self.output_shape)

    def train(
        self,
        x: Any,
        y: Any = None,
        loss: str | Loss = "squared",
        *,
        method: Method | None = None,
        epochs: int = 10,
        weight_decay: float = 0.0,
        sample_weight: Any = None,
        class_weight: Any = None,
        validation: Any = None,
        scoring: Any = None,
        patience: int | None = None,
        tol: float = 0.0,
        augment: Any = None,
        checkpoint: Any = None,
        after: Training | None = None,
        target: Any = None,
        progress: Any = None,
        diagnose: bool = False,
    ) -> Training:
        """Train, and keep the best epoch: of the best validation score, or of the least loss.

        Parameters
        ----------
        x, y, loss
            As of `loss`. Without y, x is batches: an iterable of (x, y) or (x, y, sample_weight)
            that can be passed over again (a list, a function that returns an iterator), or rows
            with named columns and a `target`.
        method : Method of `stylobate.optimize`, optional
            `SGD` (momentum, Nesterov's too), `AdaGrad`, `RMSProp` or `Adam` with batch, step
            schedule and random_state; or a method on all rows at once, such as `LBFGS`.
            ``Adam(0.001, batch=32)`` by default.
        epochs : int in [1, inf), default=10
            Passes over the rows (steps of a method on all rows) at most.
        weight_decay : float in [0, inf), default=0.0
            α of the penalty ½α‖W‖² of all weights that are no biases, scales, shifts or slopes.
        sample_weight : array of shape (n,), optional
            A batch's loss is the weighted mean of its rows'.
        class_weight : mapping of class number to float or "balanced", optional
        validation : float in (0, 1) or (x, y) or (x, y, sample_weight), optional
            Rows held out: a share of those given, or others.
        scoring : str or callable, optional
            What is asked of held-out rows: a name such as "accuracy", "roc_auc" or "r2", or a
            scorer. Minus the mean loss by default.
        patience : int in [1, inf), optional
            Epochs without progress (of the score, or of the loss) by more than `tol` that end it.
        tol : float in [0, inf), default=0.0
        augment : callable, optional
            ``augment(x, random)`` gives a changed batch; it gets the examples (n, *input_shape)
            and a numpy Generator. With an attribute ``sees_network = True`` it is called as
            ``augment(x, random, y, network)``, the network being that of now.
        checkpoint : path, optional
            A file that holds the training after every epoch. If it is there, training goes on
            from it, with the bits of a training that was never stopped.
        after : Training, optional
            Go on from where that one ended, for `epochs` more.
        target : str or list of str, optional
            The column to predict, of rows with named columns.
        progress : bool or callable, optional
            A bar with the curve of losses in terminals by default; False: none; a function is
            called with epochs made, epochs in all, losses and scores.
        diagnose : bool, default=False
            Whether to look at all layers after every epoch (`Training.trace`).

        Returns
        -------
        Training
            With the trained `network`, `losses` and `scores` of the epochs.

        Examples
        --------
        >>> from stylobate.neural_network import Activation, Dense
        >>> from stylobate.optimize import Adam
        >>> x, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
        >>> layers = [Dense(8), Activation("tanh"), Dense(1), Activation("sigmoid")]
        >>> xor = Network(layers, 2).train(
        ...     x, y, "cross_entropy", method=Adam(0.05, batch=4), epochs=200
        ... ).network
        >>> (xor.predict(x)[:, 0] > 0.5).astype(int)
        array([0, 1, 1, 0])
        """
        from stylobate.neural_network.training import TrainingPlan, train

        plan = TrainingPlan(
            method, epochs, weight_decay, sample_weight, class_weight, validation, scoring,
            patience, tol, augment, checkpoint, after, target, progress, diagnose,
        )  # fmt: skip
        return train(self, x, y, loss, plan)

    def diagnose(self, x: Any, y: Any, loss: str | Loss = "squared") -> Diagnosis:
        """Saturated and dead units, sizes of signals and derivatives in all layers, on some rows.

        Parameters
        ----------
        x, y, loss
            As of `loss`; some hundred rows are enough.
        """
        from stylobate.neural_network.diagnosis import diagnose

        return diagnose(self, x, y, loss)

    # --- passes -----------------------------------------------------------------------------------

    def _rows(self, x: Any) -> Rows:
        given = np.asarray(x)
        if given.ndim == 0 or given.shape[1:] != self.input_shape or len(given) == 0:
            raise InvalidDataError(
                f"Network: x must have shape (n, {', '.join(map(str, self.input_shape))}) with "
                f"n ≥ 1, got {given.shape}."
            )
        try:
            rows = given.reshape(len(given), -1).astype(self.parameters.dtype, copy=False)
        except (TypeError, ValueError) as error:
            raise InvalidDataError(f"Network: x must hold numbers only: {error}.") from error
        refuse_not_finite(rows, "x")
        return np.ascontiguousarray(rows)

    def _bound(self) -> list[Stage]:
        """The layers with their weights, for passes that change nothing."""
        if self._stages is None:
            self._stages = stages_of(self._places, self.parameters, self.state)
        return self._stages
