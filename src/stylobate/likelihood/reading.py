"""Parameters, bounds and data of a maximum-likelihood fit, checked once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from stylobate.arrays import Array
from stylobate.data import read_table
from stylobate.exceptions import InvalidDataError, InvalidParameterError
from stylobate.likelihood.rows import OWNER


def read_start(start: Any, names: Sequence[str] | None) -> tuple[tuple[str, ...], Array]:
    """Names and values of the parameters at the start."""
    if isinstance(start, Mapping):
        if names is not None:
            raise InvalidParameterError(f"{OWNER}: names come with start here; leave names out.")
        names, start = tuple(map(str, start)), list(start.values())
    try:
        values = np.atleast_1d(np.asarray(start, dtype=np.float64))
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.ndim != 1 or not len(values) or not np.isfinite(values).all():
        raise InvalidParameterError(
            f"{OWNER}: start must be one or more finite numbers, or names with numbers, got "
            f"{start!r}."
        )
    labels = tuple(names) if names is not None else tuple(f"theta{j}" for j in range(len(values)))
    if len(labels) != len(values) or len(set(labels)) != len(labels):
        raise InvalidParameterError(
            f"{OWNER}: names must be {len(values)} different names, one per parameter, got "
            f"{list(labels)}."
        )
    return labels, values


def read_bounds(bounds: Any, names: tuple[str, ...], start: Array) -> tuple[Array, Array]:
    """Lower and upper bounds; refuses a start outside them."""
    k = len(names)
    if bounds is None:
        return np.full(k, -np.inf), np.full(k, np.inf)
    if isinstance(bounds, Mapping):
        strangers = sorted(set(bounds) - set(names))
        if strangers:
            raise InvalidParameterError(
                f"{OWNER}: bounds name {', '.join(map(repr, strangers))}, but the parameters are "
                f"{', '.join(names)}."
            )
        bounds = [bounds.get(name) for name in names]
    pairs = [(None, None) if pair is None else tuple(pair) for pair in bounds]
    if len(pairs) != k or any(len(pair) != 2 for pair in pairs):
        raise InvalidParameterError(
            f"{OWNER}: bounds must be {k} pairs (low, high), one per parameter, got {bounds!r}."
        )
    low = np.array([-np.inf if a is None else float(a) for a, _ in pairs])
    high = np.array([np.inf if b is None else float(b) for _, b in pairs])
    for name, a, b, at in zip(names, low, high, start, strict=True):
        if not a < b or not a <= at <= b:
            raise InvalidParameterError(
                f"{OWNER}: the start {name} = {at:g} must lie within its bounds [{a:g}, {b:g}], "
                "and the lower bound below the upper."
            )
    return low, high


def read_data(X: Any, y: Any, sample_weight: Any) -> tuple[tuple[Array, ...], Array]:
    """The arrays the density is called with, and the weights; rows of zero weight are left out."""
    vector = np.ndim(X) == 1 if not hasattr(X, "columns") else False
    rows = np.asarray(X).reshape(-1, 1) if vector else X
    table = read_table(rows, y, sample_weight, owner=OWNER, accept_sparse=False)
    x = np.asarray(table.x, dtype=np.float64)
    data: tuple[Array, ...] = (x[:, 0] if vector else x,)
    if table.y is not None:
        data = (*data, table.y[:, 0] if table.y_is_vector else table.y)
    weights = np.ones(len(x)) if table.weights is None else table.weights
    used = weights > 0
    if not used.any():
        raise InvalidDataError(f"{OWNER}: no row has a positive weight.")
    return tuple(each[used] for each in data), weights[used]


def starts(start: Array, low: Array, high: Array, count: int, seed: int | None) -> Iterator[Array]:
    """The start itself, then random ones: within finite bounds, else around it."""
    rng = np.random.default_rng(seed)
    yield start
    for _ in range(count - 1):
        around = start + rng.standard_normal(len(start)) * np.maximum(np.abs(start), 1.0)
        bounded = np.isfinite(low) & np.isfinite(high)
        within = rng.uniform(np.where(bounded, low, 0.0), np.where(bounded, high, 1.0))
        yield np.clip(np.where(bounded, within, around), low, high)
