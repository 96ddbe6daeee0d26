"""What the networks for tables share: reading, planning, training, outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import inf
from typing import Annotated, Any, Self

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.base import BaseEstimator, Interval, Options, Tags
from stylobate.base.constraints import Instance
from stylobate.base.randomness import stream_of
from stylobate.base.study_role import StudyRole
from stylobate.base.validation import compare_features, compare_frame_names, remember_features
from stylobate.data import read_weights
from stylobate.data.indexing import take_rows
from stylobate.data.mixed_columns import MixedColumns, read_mixed_columns
from stylobate.exceptions import (
    InvalidDataError,
    InvalidParameterError,
    ModelFileError,
    NumericalError,
)
from stylobate.neural_network.engine import Targets
from stylobate.neural_network.tabular.design import TableDesign
from stylobate.neural_network.tabular.shape import NetShape
from stylobate.neural_network.tabular.training import (
    MemberNetwork,
    NetRows,
    TrainingPlan,
    further_epoch,
    sound_memory,
    train,
)
from stylobate.preprocessing import QuantileTransformer, TableEncoder
from stylobate.tree.columns import chosen_columns

Auto = Annotated[str, Options("auto")]
Count = Annotated[int, Interval(1, inf)]
NetTarget = tuple[Targets, int, str]  # and the number of outputs, and their activation
Columns = Auto | Annotated[Any, Instance(object)] | None

_VISITS = 400_000  # of rows in all epochs, if `max_iter` does not say
_FEWEST, _MOST = 10, 24  # epochs then
_HOLD_OUT = 200  # rows from which on some are held out


class TabularNetwork(BaseEstimator):
    """Root of the networks for tables; subclasses read the target and say what outputs mean."""

    hidden_layer_sizes: Any
    n_members: int
    n_frequencies: int
    n_waves: int
    dropout: float
    weight_decay: float
    learning_rate_init: float | str
    batch_size: int | str
    max_iter: int | str
    early_stopping: bool | str
    validation_fraction: float
    n_iter_no_change: int
    categorical_features: Any
    random_state: Any
    verbose: bool | int

    encoder_: TableEncoder
    scaler_: QuantileTransformer | None
    shape_: NetShape
    parameters_: NDArray[np.float32]
    loss_curve_: list[float]
    validation_loss_curve_: list[float] | None
    _design: TableDesign
    _memory: dict[str, Any]  # the optimiser's, between calls of `partial_fit`

    def _tags(self) -> Tags:
        return super()._tags().but(allow_nan=True, categorical=True)

    # --- what subclasses say ----------------------------------------------------------------------

    def _read_target(self, y: Any, n_rows: int, weights: Array | None) -> NetTarget:
        """The targets, the number of outputs and their activation."""
        raise NotImplementedError

    def _usual_rate(self) -> float:
        raise NotImplementedError

    # --- fitting ----------------------------------------------------------------------------------

    def _fit(self, X: Any, y: Any, sample_weight: Any) -> Self:
        self._check_parameters()
        owner = type(self).__name__
        if y is None:
            raise InvalidDataError(
                f"{owner} requires y to be passed, but the target y is None; pass one value per "
                "row."
            )
        columns = read_mixed_columns(X, owner=owner, min_rows=2)
        remember_features(self, columns)  # type: ignore[arg-type]  # knows names and their number
        weights = read_weights(sample_weight, columns.n_rows, owner=owner)
        if weights is not None and not weights.all():  # a row of weight 0 is no row
            kept = np.flatnonzero(weights)
            return self._fit(take_rows(X, kept), take_rows(y, kept), weights[kept])
        targets, outputs, output = self._read_target(y, columns.n_rows, weights)
        random = stream_of(self.random_state)
        encoded = self._learn_columns(X, columns, random)
        numbers, codes = self._design.rows(encoded, self.scaler_)
        self._train(NetRows(numbers, codes, targets), outputs, output, random)
        vars(self).pop("_memory", None)
        return self

    def _learn_more(
        self, X: Any, sample_weight: Any, read: Callable[[int, Any, bool], NetTarget]
    ) -> Self:
        """One epoch over some rows; what `read` gives is the target, as of `_read_target`."""
        owner = type(self).__name__
        if self.early_stopping is True:
            raise InvalidParameterError(
                f"{owner}: partial_fit does not support early_stopping=True, for it makes one pass "
                "over the rows it is given."
            )
        first = "parameters_" not in vars(self)  # a call that was refused has begun nothing
        if not first:
            compare_frame_names(self, X)
        columns = read_mixed_columns(X, owner=owner, min_rows=2 if first else 1)
        (remember_features if first else compare_features)(self, columns)  # type: ignore[arg-type]
        weights = read_weights(sample_weight, columns.n_rows, owner=owner)
        targets, outputs, output = read(columns.n_rows, weights, first)
        random = stream_of(self.random_state)
        if first:
            encoded = self._learn_columns(X, columns, random)
            network = self._begun(outputs, output, random)
            self.loss_curve_, self.validation_loss_curve_ = [], None
        else:
            encoded = np.asarray(self.encoder_.transform(X), dtype=np.float64)
            network = MemberNetwork(
                self.shape_, self.parameters_.copy(), int(random.randint(2**31 - 1))
            )
            network.go_on(vars(self).get("_memory"))
        numbers, codes = self._design.rows(encoded, self.scaler_)
        loss = further_epoch(network, NetRows(numbers, codes, targets), self._plan(len(numbers)))
        if loss is None:
            raise NumericalError(
                f"{owner}: the loss of these rows is no finite number; lower learning_rate_init. "
                "The network is what it was before them."
            )
        self.parameters_, self._memory = network.parameters, network.memory
        self.loss_curve_ = [*self.loss_curve_, loss]
        self.n_iter_ = self.best_iter_ = len(self.loss_curve_)
        return self

    def _learn_columns(self, X: Any, columns: MixedColumns, random: np.random.RandomState) -> Array:
        """What the columns are; numbers and codes of the rows."""
        kinds = None
        if self.categorical_features is None or not isinstance(self.categorical_features, str):
            chosen = chosen_columns(columns, self.categorical_features, type(self).__name__)
            names = columns.names or [f"x{j}" for j in range(columns.n_features)]
            kinds = {
                name: "nominal" if each else "numeric"
                for name, each in zip(names, chosen, strict=True)
            }
        self.encoder_ = TableEncoder(categories="codes", kinds=kinds).set_output(
            transform="default"
        )
        encoded = np.asarray(self.encoder_.fit_transform(X), dtype=np.float64)
        self._design = TableDesign.of(encoded, self.encoder_.categorical_)
        self.scaler_ = self._design.scaler(encoded, int(random.randint(2**31 - 1)))
        return encoded

    def _train(
        self, rows: NetRows, outputs: int, output: str, random: np.random.RandomState
    ) -> None:
        network = self._begun(outputs, output, random)
        rows, held = self._held_out(rows, random)
        history = train(
            network, rows, held, self._plan(len(rows)), random, self._tell, type(self).__name__
        )
        self.parameters_ = network.parameters
        self.loss_curve_ = history.losses
        self.validation_loss_curve_ = history.held_out if held is not None else None
        self.n_iter_, self.best_iter_ = len(history.losses), history.best

    def _begun(self, outputs: int, output: str, random: np.random.RandomState) -> MemberNetwork:
        """The network with its first parameters."""
        design, sizes = self._design, self.hidden_layer_sizes
        hidden = tuple(sizes) if isinstance(sizes, Iterable) else (sizes,)
        waves = int(self.n_waves) if self.n_frequencies else 0
        self.shape_ = NetShape(
            len(design.waved), design.n_plain, int(self.n_frequencies) if waves else 0, waves,
            design.categories, tuple(int(units) for units in hidden),
            outputs, int(self.n_members), output,
        )  # fmt: skip
        return MemberNetwork(self.shape_, self.shape_.draw(random), int(random.randint(2**31 - 1)))

    def _held_out(
        self, rows: NetRows, random: np.random.RandomState
    ) -> tuple[NetRows, NetRows | None]:
        auto = isinstance(self.early_stopping, str)
        if len(rows) < _HOLD_OUT if auto else not self.early_stopping:
            return rows, None
        count = int(np.ceil(self.validation_fraction * len(rows)))
        if len(rows) - count < 2:
            raise InvalidDataError(
                f"{type(self).__name__}: validation_fraction={self.validation_fraction:g} leaves "
                f"{len(rows) - count} of {len(rows)} rows to learn from; lower it, or pass "
                "early_stopping=False."
            )
        order = random.permutation(len(rows))
        return rows.take(np.sort(order[count:])), rows.take(np.sort(order[:count]))

    def _plan(self, n_rows: int) -> TrainingPlan:
        auto = isinstance(self.max_iter, str)
        epochs = min(max(-(-_VISITS // n_rows), _FEWEST), _MOST) if auto else self.max_iter
        batch = (
            min(256, max(32, n_rows // 16))
            if isinstance(self.batch_size, str)
            else (self.batch_size)
        )
        named = isinstance(self.learning_rate_init, str)
        rate = self._usual_rate() if named else self.learning_rate_init
        return TrainingPlan(
            int(epochs), min(int(batch), n_rows), float(rate), float(self.dropout),
            float(self.weight_decay), int(self.n_iter_no_change),
        )  # fmt: skip

    def _tell(self, epoch: int, loss: float, held: float | None) -> None:
        if self.verbose:
            rest = "" if held is None else f", held out = {held:.6f}"
            print(f"Epoch {epoch}, loss = {loss:.6f}{rest}")

    # --- answering --------------------------------------------------------------------------------

    def _outputs(self, X: Any) -> Array:
        self._check_fitted()
        compare_frame_names(self, X)
        columns = read_mixed_columns(X, owner=type(self).__name__)
        compare_features(self, columns)  # type: ignore[arg-type]  # knows names and their number
        encoded = np.asarray(self.encoder_.transform(X), dtype=np.float64)
        numbers, codes = self._design.rows(encoded, self.scaler_)
        return MemberNetwork(self.shape_, self.parameters_).outputs(numbers, codes)

    def _check_loaded(self) -> None:
        """Refuse parameters of a file that do not fit its columns and layers."""
        if "parameters_" not in vars(self):
            return
        shape, design, found = self.shape_, self._design, np.asarray(self.parameters_)
        sound = isinstance(shape, NetShape) and isinstance(design, TableDesign)
        sound = sound and found.dtype == np.float32 and found.ndim == 1
        sound = sound and len(shape.hidden) > 0 and len(found) == shape.n_parameters
        sound = sound and (shape.waved, shape.plain) == (len(design.waved), design.n_plain)
        sound = sound and shape.categories == design.categories
        sound = sound and sound_memory(vars(self).get("_memory"), shape.n_parameters)
        if not sound or not np.isfinite(found).all():
            raise ModelFileError(
                f"The {type(self).__name__} of the file has parameters of another network."
            )


def tabular_role() -> StudyRole:
    """How studies try a network: with the columns told apart, where there are rows enough."""
    return StudyRole(
        "tabular_net", "Network for tables", 85, encoding="codes", min_rows=2_000,
        max_rows=200_000, max_columns=500,
    )  # fmt: skip
