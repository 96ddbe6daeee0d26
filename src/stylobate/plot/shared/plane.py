"""The plane of two features: a fitted model's answers on a grid of it, and the rows upon it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.arrays import Array
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.plot.shared.texts import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN = 0.06


@dataclass(frozen=True, slots=True, eq=False)
class Plane:
    """A grid over two features.

    Attributes
    ----------
    x, y : array
        Places of the grid.
    rows : table of shape (len(x) · len(y), 2)
        Its points, in a container like that of the data.
    names : tuple of two str
        Of the features.
    points : array of shape (n, 2)
        The rows of the data that have both numbers.
    kept : array of bool
        Which rows those are.
    """

    x: Array
    y: Array
    rows: Any
    names: tuple[str, str]
    points: Array
    kept: NDArray[np.bool_]

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Ends of the picture: left, right, bottom, top."""
        return float(self.x[0]), float(self.x[-1]), float(self.y[0]), float(self.y[-1])

    def shaped(self, values: Any) -> NDArray[Any]:
        """Values of the grid's points as a matrix, y down and x across."""
        found = np.asarray(values)
        return found.reshape(len(self.y), len(self.x), *found.shape[1:])

    def kept_of(self, y: Any, owner: str) -> NDArray[Any]:
        """The entries of y that belong to the points."""
        labels = np.asarray(y).ravel()
        if len(labels) != len(self.kept):
            raise InvalidDataError(
                f"{owner}: y has {len(labels)} entries and X {len(self.kept)} rows; give one each."
            )
        return labels[self.kept]


def plane_of(
    model: Any, X: Any, *, names: Sequence[str] | None, resolution: int, owner: str
) -> Plane:
    """The grid over the rows of X a model was fitted on."""
    if resolution < 2:
        raise InvalidParameterError(f"{owner}: resolution must be at least 2, got {resolution!r}.")
    if not hasattr(model, "predict"):
        raise InvalidParameterError(
            f"{owner}: {type(model).__name__} has no predict; pass a fitted model."
        )
    whole, given = read_points(X, owner)
    kept = np.asarray(np.isfinite(whole).all(axis=1))
    points = whole[kept]
    if not len(points):
        raise InvalidDataError(f"{owner}: no row of X has two finite numbers.")
    width = getattr(model, "n_features_in_", 2)
    if width != 2:
        raise InvalidDataError(
            f"{owner}: {type(model).__name__} was fitted on {width} features; a plane has two, so "
            "fit it on two columns."
        )
    known = names or given or _names_of(model) or ("x0", "x1")
    if len(known) != 2:
        raise InvalidParameterError(f"{owner}: names has {len(known)} entries; give two.")
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, _MARGIN * (high - low), 0.5)
    x, y = (np.linspace(low[k] - room[k], high[k] + room[k], resolution) for k in (0, 1))
    grid = np.column_stack([each.ravel() for each in np.meshgrid(x, y)])
    rows = _like(X, grid, given or _names_of(model)) if _names_of(model) else grid
    return Plane(x, y, rows, (str(known[0]), str(known[1])), points, kept)


def draw_rows(ax: Axes, theme: Any, points: Array, codes: Any, labels: Sequence[Any] = ()) -> None:
    """The data, in the colours of their classes, with a rim that sets them off."""
    codes = np.zeros(len(points), dtype=int) if codes is None else np.asarray(codes)
    for place in np.unique(codes):
        rows = codes == place
        label = plain(labels[place]) if len(labels) else None
        ax.plot(
            points[rows, 0], points[rows, 1], "o", ms=4.5, mew=0.6, mec=theme.background,
            color=theme.color(int(place)), label=label, zorder=4, gid="rows",
        )  # fmt: skip


def frame_plane(ax: Axes, plane: Plane) -> None:
    """Ends and names of the axes."""
    left, right, bottom, top = plane.extent
    ax.set_xlim(left, right)
    ax.set_ylim(bottom, top)
    ax.set_xlabel(plain(plane.names[0]))
    ax.set_ylabel(plain(plane.names[1]))


def codes_of(y: Any, classes: Sequence[Any], owner: str) -> NDArray[np.intp]:
    """The place of each label among the classes."""
    place = {_plain_value(each): k for k, each in enumerate(classes)}
    labels = [_plain_value(each) for each in np.asarray(y).ravel()]
    strange = [each for each in labels if each not in place]
    if strange:
        raise InvalidDataError(
            f"{owner}: y holds {strange[0]!r}, which the model does not know; its classes are "
            f"{', '.join(map(str, list(place)[:8]))}."
        )
    return np.array([place[each] for each in labels], dtype=np.intp)


def _plain_value(each: Any) -> Any:
    return each.item() if isinstance(each, np.generic) else each


def read_points(X: Any, owner: str) -> tuple[Array, tuple[str, ...] | None]:
    columns = getattr(X, "columns", None)
    names = getattr(X, "column_names", None) or (None if columns is None else list(columns))
    if hasattr(X, "to_pandas") and not hasattr(X, "to_numpy"):
        X = X.to_pandas()
    try:
        points = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidDataError(
            f"{owner}: X holds values that are no numbers; a plane needs two columns of numbers."
        ) from None
    if points.ndim != 2 or points.shape[1] != 2 or len(points) == 0:
        raise InvalidDataError(
            f"{owner}: X has shape {points.shape}; a plane needs rows of two features."
        )
    return points, None if names is None else tuple(map(str, names))


def _names_of(model: Any) -> tuple[str, ...] | None:
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else tuple(map(str, names))


def _like(X: Any, grid: Array, names: tuple[str, ...] | None) -> Any:
    """The grid as a frame of the library of X, since the model knows its columns by name."""
    columns = dict(zip(names or ("x0", "x1"), grid.T, strict=True))
    library = type(X).__module__.partition(".")[0]
    if library == "polars":
        import polars as pl

        return pl.DataFrame(columns)
    if library == "pyarrow":
        import pyarrow as pa

        return pa.table(columns)
    import pandas as pd

    return pd.DataFrame(columns)
