"""Each cluster of a table: its size, what sets it apart, a typical row."""

from __future__ import annotations

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.chosen_columns import ChosenColumns
from stylobate.exploration.clusters.pictures import mean_of
from stylobate.exploration.clusters.report import NOISE, ClusterProfile, Picture
from stylobate.exploration.clusters.traits import LEAST, traits_of, worth_telling
from stylobate.exploration.summaries.values import value_text

_SHOWN = 24  # traits in the profile of all clusters


def profiles_of(
    columns: ChosenColumns, design: Array, labels: Indices, picture: Picture, numbers: Indices
) -> tuple[ClusterProfile, ...]:
    """All clusters, the largest first, rows in no cluster last."""
    found, sizes = np.unique(labels, return_counts=True)
    order = sorted(zip(found.tolist(), sizes.tolist(), strict=True), key=_place)
    made = []
    for label, size in order:
        inside = labels == label
        typical = _middle(design, inside)
        made.append(
            ClusterProfile(
                label,
                size,
                size / len(labels),
                mean_of(picture.silhouettes[picture.labels == label]),
                worth_telling(traits_of(columns.cells, inside)),
                int(numbers[typical]),
                {each.column.name: _cell(each, typical) for each in columns.cells},
            )
        )
    return tuple(made)


def _place(pair: tuple[int, int]) -> tuple[bool, int, int]:
    label, size = pair
    return label == NOISE, -size, label


def _middle(design: Array, inside: Array) -> int:
    """The row nearest to the mean of some rows."""
    rows = np.flatnonzero(inside)
    off = design[rows] - design[rows].mean(axis=0)
    return int(rows[np.argmin(np.einsum("ij,ij->i", off, off))])


def _cell(cells: Cells, row: int) -> str:
    code = int(cells.codes[row])
    return "missing" if code < 0 else value_text(cells.values[code])


def effects_of(
    columns: ChosenColumns, labels: Indices, clusters: tuple[ClusterProfile, ...]
) -> dict[str, list[float]]:
    """Effects of the strongest traits in every cluster: of each column its best category or two."""
    by_cluster = [
        {trait.title: trait for trait in traits_of(columns.cells, labels == each.label)}
        for each in clusters
    ]
    strongest: dict[str, float] = {}
    for traits in by_cluster:
        for title, trait in traits.items():
            strongest[title] = max(strongest.get(title, 0.0), abs(trait.effect))
    told = [title for title, effect in strongest.items() if effect >= LEAST]
    kept = sorted(told, key=lambda title: -strongest[title])[:_SHOWN]
    in_order = [title for title in strongest if title in kept]
    return {
        title: [traits[title].effect if title in traits else 0.0 for traits in by_cluster]
        for title in in_order
    }
