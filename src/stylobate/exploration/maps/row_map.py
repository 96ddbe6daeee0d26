"""Maps of the rows of a table, as values; prints as text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.maps.neighborhoods import OutlyingRow, Separation

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class PlaneMap:
    """The rows on a plane, and how far to trust it.

    Attributes
    ----------
    name : str
        Such as "PCA" or "t-SNE".
    points : array of shape (n, 2)
    axes : (str, str)
        What the coordinates are; empty where they have no meaning of their own.
    n_neighbors : int
        How many neighbours are looked at.
    kept_by_row : array of shape (n,)
        Of every row, the share of its nearest rows on the map that are nearest in the table too.
    trustworthiness : float
        1 minus a penalty for rows that are near on the map only, by their ranks in the table
        (Venna & Kaski 2001); of a sample of the rows.
    distance_correlation : float
        Rank correlation of distances on the map and in the table; of a sample of the rows.
    meaning : str
        What distances on it mean.
    """

    name: str
    points: Array
    axes: tuple[str, str]
    n_neighbors: int
    kept_by_row: Array
    trustworthiness: float
    distance_correlation: float
    meaning: str

    @property
    def neighbors_kept(self) -> float:
        """The mean of `kept_by_row`."""
        return float(self.kept_by_row.mean())

    @property
    def neighbors_by_chance(self) -> float:
        """What `neighbors_kept` would be on a map drawn at random."""
        return self.n_neighbors / max(len(self.points) - 1, 1)

    @property
    def words(self) -> str:
        """How far to trust it, in a sentence."""
        return (
            f"{self.neighbors_kept:.0%} of the {self.n_neighbors} nearest rows on the map are "
            f"nearest in the table too (by chance {self.neighbors_by_chance:.1%}), "
            f"trustworthiness {self.trustworthiness:.2f}, correlation of distances "
            f"{self.distance_correlation:.2f}"
        )


@dataclass(frozen=True, slots=True)
class Component:
    """A principal component.

    Attributes
    ----------
    share : float
        Of the variance of the encoded columns.
    weights : dict from str to float
        The encoded columns it is made of, the heaviest first, and their weights in [-1, 1].
    """

    share: float
    weights: dict[str, float]

    @property
    def words(self) -> str:
        """What it is made of."""
        up = [name for name, weight in self.weights.items() if weight > 0]
        down = [name for name, weight in self.weights.items() if weight < 0]
        sides = [f"more {', '.join(up)}"] * bool(up) + [f"less {', '.join(down)}"] * bool(down)
        return "; ".join(sides)


@dataclass(frozen=True, slots=True, eq=False)
class RowMap:
    """The rows of a table as points on two maps; prints as text.

    Made by `stylobate.map_rows`.

    Attributes
    ----------
    source : str
        What was looked at.
    rows, used_rows : int
        Rows of the source, and rows on the maps.
    row_numbers : array of int of shape (used_rows,)
        Which rows of the source, the first being 0.
    columns : dict from str to str
        The columns rows are compared by, with their kinds.
    left_out : dict from str to str
        The other columns, with the reason.
    method, method_reason : str
        Of the second map: "tsne", "umap" or "pca".
    maps : (PlaneMap, PlaneMap)
        The plane of the first two principal components (of a table of distances, classical
        scaling), and the neighbour embedding (with ``method="pca"``, components three and four).
    components : tuple of Component
        The first principal components.
    outliers : tuple of OutlyingRow
        Rows far from all others, the farthest first.
    separation : Separation or None
        How far neighbours agree in the target, if there is one.
    color : str or None
        The column that colours the maps at first: as asked for, the target, or the one in which
        neighbours on the maps agree most.
    notes : tuple of str
        What was done to rows and cells.
    cells : tuple of Cells
        The values of all columns of the table, for pages and pictures.
    names : str or None
        The column that names the points, where they are few and it tells all of them apart.
    """

    source: str
    rows: int
    used_rows: int
    row_numbers: Indices
    columns: dict[str, str]
    left_out: dict[str, str]
    method: str
    method_reason: str
    maps: tuple[PlaneMap, PlaneMap]
    components: tuple[Component, ...]
    outliers: tuple[OutlyingRow, ...]
    separation: Separation | None
    color: str | None
    notes: tuple[str, ...]
    cells: tuple[Cells, ...]
    names: str | None = None

    @property
    def coordinates(self) -> dict[str, NDArray[Any]]:
        """Row numbers (from 1 on), the coordinates of both maps and the trust in them."""
        told: dict[str, NDArray[Any]] = {"row": self.row_numbers + 1}
        for each in self.maps:
            stem = each.name.lower().replace("-", "").replace(" ", "_")
            told[f"{stem}_x"], told[f"{stem}_y"] = each.points[:, 0], each.points[:, 1]
            told[f"{stem}_neighbors_kept"] = np.round(each.kept_by_row, 4)
        return told

    def summary(self) -> str:
        """The maps in words, at most 100 characters a line."""
        from stylobate.exploration.maps.text import map_text

        return map_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; points and cells are not among them."""
        from stylobate import __version__
        from stylobate.report.plain_values import plain

        left = ("row_numbers", "maps", "cells")
        told = {name: plain(getattr(self, name)) for name in self.__slots__ if name not in left}
        told["maps"] = [
            {
                "name": each.name,
                "neighbors_kept": each.neighbors_kept,
                "neighbors_by_chance": each.neighbors_by_chance,
                "trustworthiness": plain(each.trustworthiness),
                "distance_correlation": plain(each.distance_correlation),
                "meaning": each.meaning,
            }
            for each in self.maps
        ]
        return {"stylobate": __version__} | told

    def to_html(self, path: str | Path | None = None) -> str:
        """A self-contained page that zooms, selects and colours; also written to a file."""
        from stylobate.exploration.maps.page import map_page

        text = map_page(self)
        if path is not None:
            Path(path).write_text(text, encoding="utf-8")
        return text

    def plot(self, *, color: str | None = None, axes: Any = None) -> NDArray[Any]:
        """Both maps side by side, coloured by a column; see `stylobate.plot.plot_row_map`."""
        from stylobate.plot import plot_row_map

        return plot_row_map(self, color=color, axes=axes)

    def __str__(self) -> str:
        return self.summary()

    __repr__ = __str__
