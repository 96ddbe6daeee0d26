"""What a metric is: its parameters, what is known of it, and how the core measures it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import fields
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.distances.maps import IDENTITY, Increasing, Map
from stylobate.distances.tiles import Measured, pairs_of
from stylobate.exceptions import InvalidParameterError, ModelFileError, StylobateError

Domain = Literal["numbers", "booleans", "sphere", "mixed"]


class Form(NamedTuple):
    """A measure of the core, the points it takes, and the way back to the metric's own numbers.

    The measure has the order of the metric: squares instead of roots, sums instead of shares.
    """

    measure: str
    finish: Map | Increasing = IDENTITY
    p: float = 2.0
    weights: Array | None = None
    change: Callable[[Any], Any] | None = None

    def points(self, x: Any) -> Any:
        """Rows or queries as the core takes them."""
        return x if self.change is None else self.change(x)


class Metric(ABC):
    r"""A distance :math:`d(x, y)` of two rows, with what searches need to know of it.

    A metric is a value: it compares equal to another of the same parameters. It is what every
    ``metric=`` comes to (`metric_of`), and can be passed there itself.

    Attributes
    ----------
    names : tuple of str
        Its name and the others that scikit-learn and SciPy have for it.
    triangle : bool
        Whether :math:`d(x, z) \le d(x, y) + d(y, z)`.
    boxes : bool
        Whether the nearest point of a box bounds it, so that a kd-tree can search.
    balls : bool
        Whether the core's ball tree can search.
    graph : bool
        Whether it is the order of squared or absolute distances of some points, as graphs need.
    sparse : bool
        Whether sparse rows can be compared.
    allow_nan : bool
        Whether rows may lack values.
    similarity : bool
        Whether near rows have large values.
    domain : {"numbers", "booleans", "sphere", "mixed"}
        Of what columns: numbers; numbers of which only 0 is false; latitude and longitude; any.

    Examples
    --------
    >>> from stylobate.distances import Minkowski, metric_of
    >>> metric_of("cityblock").boxes, metric_of("cosine").triangle
    (True, False)
    >>> Minkowski(p=3)([0.0, 0.0], [1.0, 1.0])
    1.2599210498948732
    """

    names: ClassVar[tuple[str, ...]]
    domain: ClassVar[Domain] = "numbers"
    allow_nan: ClassVar[bool] = False
    similarity: ClassVar[bool] = False
    keeps_single: ClassVar[bool] = False  # matrices of single-precision rows are so themselves
    zero_to_itself: ClassVar[bool] = False  # by definition, where the formula says 0 / 0
    triangle: bool = False
    boxes: bool = False
    balls: bool = False
    graph: bool = False
    sparse: bool = False

    @property
    def name(self) -> str:
        """What the metric is called first of all."""
        return self.names[0]

    @abstractmethod
    def form(self, columns: int) -> Form:
        """How tiles, trees of boxes and graphs measure rows of so many columns."""

    def ball_form(self, columns: int) -> Form:
        """How a ball tree measures rows of so many columns."""
        return self.form(columns)

    def without_balls(self, x: Any) -> str:
        """Why no ball surely misses a row of x; "" where balls do."""
        return ""

    def learnt(self, x: Any) -> Metric:
        """The metric with what it takes from rows, where that was not given."""
        return self

    def measured(self, x: Any, y: Any) -> Measured:
        """Queries x and rows y, checked tables and one object for one table, ready to be asked."""
        form = self.form(x.shape[1])
        a = form.points(x)
        return self._pairs(form, (a, a if y is x else form.points(y)), x, y)

    def _pairs(self, form: Form, points: tuple[Any, Any], x: Any, y: Any) -> Measured:
        return Measured(
            pairs_of(*points, form.measure, form.p, form.weights),
            (x.shape[0], y.shape[0]),
            form.finish,
            x.dtype if self.keeps_single else np.float64,
            y is x,
            self.zero_to_itself and y is x,
        )

    def matrix(self, x: Any, y: Any) -> NDArray[Any]:
        """The distances of every row of x to every row of y, checked tables."""
        return self.measured(x, y).write()

    def __call__(self, a: Any, b: Any) -> float:
        """The distance of two rows."""
        x, y = (np.asarray(row, dtype=np.float64).reshape(1, -1) for row in (a, b))
        return float(self.matrix(x, y)[0, 0])

    # --- graphs: points whose squared or absolute distances have the order of the metric ----------

    def graph_metric(self, x: Any) -> Metric:
        """The metric with what a graph of these rows needs."""
        return self.learnt(x)

    def graph_rows(self, x: Any) -> NDArray[Any]:
        """Rows as points of a graph."""
        return _floats(self.form(x.shape[1]).points(np.asarray(x)))

    def graph_queries(self, x: Any) -> NDArray[Any]:
        """Queries as points of a graph."""
        return self.graph_rows(x)

    def graph_distances(self, values: Array, x: Any) -> Array:
        """The metric's own numbers from the graph's, for queries x."""
        return self.form(x.shape[1]).finish(values)

    # --- a value ----------------------------------------------------------------------------------

    def parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        return {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]

    def __eq__(self, other: object) -> bool:
        """Whether the other has the same parameters."""
        if type(other) is not type(self):
            return NotImplemented
        own, its = self.parameters(), other.parameters()
        return all(_same(own[name], its[name]) for name in own)

    def __hash__(self) -> int:
        return hash(type(self))

    def _check_loaded(self) -> None:
        """Refuse parameters of a model file that the metric does not take."""
        kind = type(self)
        if not hasattr(kind, "names"):
            raise ModelFileError(f"The file has a {kind.__name__}, which is no metric.")
        try:
            made = kind(**self.parameters())
        except (StylobateError, TypeError, ValueError) as error:
            raise ModelFileError(
                f"The {kind.__name__} of the file has a parameter it does not take: {error}"
            ) from None
        for name, value in made.parameters().items():  # as arrays, where they are kept as such
            object.__setattr__(self, name, value)


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    return bool(a == b)


def _floats(x: NDArray[Any]) -> NDArray[Any]:
    kind = np.float32 if x.dtype == np.float32 else np.float64
    return np.ascontiguousarray(x, dtype=kind)


def keep_weights(metric: Any) -> None:
    """Hold the parameter ``w`` of a new metric as an array, or refuse it."""
    if metric.w is None:
        return
    weights = np.ascontiguousarray(metric.w, dtype=np.float64)
    if weights.ndim != 1 or not (weights >= 0).all():
        raise InvalidParameterError(
            f"{metric.name}: w must be weights of the columns, none negative; got {metric.w!r}."
        )
    object.__setattr__(metric, "w", weights)


def weights_of(metric: Any, columns: int) -> Array | None:
    """The weights of so many columns, None for none."""
    if metric.w is not None and len(metric.w) != columns:
        raise InvalidParameterError(
            f"{metric.name}: w must be {columns} weights of the columns; got {len(metric.w)}."
        )
    weights: Array | None = metric.w
    return weights


def scaling(factors: NDArray[Any]) -> Callable[[Any], Any]:
    """Rows with each column times a factor."""
    return lambda x: x * factors
