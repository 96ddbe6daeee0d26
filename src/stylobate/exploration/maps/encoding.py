"""Rows of a table as points: every column by its kind, none louder than the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stylobate.arrays import Array, Indices
from stylobate.exploration.cells import Cells
from stylobate.exploration.clusters.traits import amounts
from stylobate.exploration.summaries.values import value_text

_CATEGORIES = 20  # of a column that have a coordinate of their own; rarer ones share one
_TOPICS = 20  # coordinates of a column of texts
_TERMS = 20_000  # of such a column, the commonest
_NEAR = 3.0  # spreads from the median beyond which numbers are pulled in
_NORMAL_QUARTILES = 1.3489795003921634  # between the quartiles of the standard normal


@dataclass(frozen=True, slots=True, eq=False)
class EncodedRows:
    """Rows as points whose Euclidean distances respect kinds of columns.

    Attributes
    ----------
    matrix : array of shape (n, p)
    names : tuple of str
        Of its columns: ``age``, ``drink = tea``, ``remark: topic 1``.
    owners : array of int of shape (p,)
        Which column of the table each comes from.
    pulled : tuple of str
        Columns with numbers far out that were pulled in.
    """

    matrix: Array
    names: tuple[str, ...]
    owners: Indices
    pulled: tuple[str, ...]


def encode_rows(cells: Sequence[Cells], *, scale: bool = True, seed: int = 0) -> EncodedRows:
    r"""Columns side by side: numbers, moments and ranks by spreads, categories as ones, texts.

    A number becomes :math:`z = (x - \text{median}) / s`, with s the distance of the quartiles
    over 1.349 (the standard deviation where they coincide); beyond three spreads it grows like the
    logarithm, so that one far cell does not decide the map; what results is brought to variance
    one. Rows of different categories are at distance one. A text becomes its leading singular
    coordinates by tf-idf, of variance one in all.

    Parameters
    ----------
    cells : sequence of Cells
        The columns.
    scale : bool, default=True
        Whether numbers are brought to one spread; without, they keep their units and categories
        count as much as the mean column.
    seed : int, default=0
        Of the singular coordinates of texts.
    """
    parts = [_part(each, seed) for each in cells]
    unit = 1.0
    if not scale:
        spreads = [float(np.nanstd(amounts(each))) for each in cells if _is_measured(each)]
        unit = float(np.mean(spreads)) if spreads else 1.0
    blocks, names, owners, pulled = [], [], [], []
    for at, (each, (block, titles)) in enumerate(zip(cells, parts, strict=True)):
        if _is_measured(each):
            block, far = _measured(block[:, 0], scale)
            pulled += [each.column.name] * far
        else:
            block = block * unit
        blocks.append(block)
        names += titles
        owners += [at] * len(titles)
    return EncodedRows(
        np.column_stack(blocks), tuple(names), np.array(owners, dtype=np.intp), tuple(pulled)
    )


def _is_measured(cells: Cells) -> bool:
    """Whether a column is one number a row: an amount, a moment, or the rank of a step."""
    return cells.column.kind in ("numeric", "datetime", "geospatial", "ordinal")


def _part(cells: Cells, seed: int) -> tuple[Array, list[str]]:
    name = cells.column.name
    if cells.column.kind == "text":
        return _topics(cells, seed)
    if not _is_measured(cells):
        return _ones(cells)
    if cells.is_numeric or cells.is_temporal:
        return amounts(cells)[:, None], [name]
    return _ranks(cells)[:, None], [name]


def _ranks(cells: Cells) -> Array:
    """Steps of a scale by their place on it; NaN where missing."""
    order = [value_text(each) for each in cells.column.order or ()]
    texts = [value_text(each) for each in cells.values]
    place = {text: float(k) for k, text in enumerate(order or texts)}
    return np.array([place.get(text, np.nan) for text in texts] + [np.nan])[cells.codes]


def _measured(values: Array, scale: bool) -> tuple[Array, bool]:
    """Gaps filled, centred by the median, divided by the spread, far numbers pulled in."""
    known = values[np.isfinite(values)]
    if not len(known):
        return np.zeros((len(values), 1)), False
    low, middle, high = np.percentile(known, [25.0, 50.0, 75.0])
    filled = np.where(np.isfinite(values), values, middle) - middle
    if not scale:
        return filled[:, None], False
    spread = (high - low) / _NORMAL_QUARTILES or float(known.std()) or 1.0
    z, size = filled / spread, np.abs(filled / spread)
    far = size > _NEAR
    inner = np.log1p(np.maximum(size - _NEAR, 0.0))
    near = np.where(far, np.sign(z) * (_NEAR + inner), z)
    return near[:, None] / (float(near.std()) or 1.0), bool(far.any())


def _ones(cells: Cells) -> tuple[Array, list[str]]:
    """A coordinate for every common category, one for the rare and one for the missing.

    Ones are divided by √2, so that two different categories are at distance 1.
    """
    counts = cells.counts
    common = np.sort(np.argsort(-counts, kind="stable")[:_CATEGORIES])
    name = cells.column.name
    place = np.full(len(counts) + 1, len(common), dtype=np.intp)
    place[common] = np.arange(len(common))
    titles = [f"{name} = {value_text(cells.values[at])}" for at in common]
    if len(common) < len(counts):
        titles.append(f"{name}: rare")
    if cells.missing:
        place[-1] = len(titles)
        titles.append(f"{name} missing")
    block = np.zeros((len(cells.codes), len(titles)))
    block[np.arange(len(block)), place[cells.codes]] = np.sqrt(0.5)
    return block, titles


def _topics(cells: Cells, seed: int) -> tuple[Array, list[str]]:
    """Leading singular coordinates of the texts by tf-idf, of total variance 1."""
    from stylobate.decomposition import TruncatedSVD
    from stylobate.exceptions import StylobateError
    from stylobate.feature_extraction.text import TfidfVectorizer

    name = cells.column.name
    nothing = np.zeros((len(cells.codes), 1)), [f"{name}: topics"]
    texts = [value_text(each) for each in cells.values]
    try:
        weights = TfidfVectorizer(max_features=_TERMS, sublinear_tf=True).fit_transform(texts)
    except (StylobateError, ValueError):  # no word in any of them
        return nothing
    count = min(_TOPICS, min(weights.shape) - 1)
    if count < 1:
        return nothing
    model = TruncatedSVD(count, random_state=seed)
    found = np.asarray(model.fit_transform(weights), dtype=np.float64)
    block = np.vstack([found, found.mean(axis=0)])[cells.codes]  # the last is for missing texts
    spread = float(np.sqrt(block.var(axis=0).sum())) or 1.0
    return block / spread, [f"{name}: topic {k + 1}" for k in range(count)]
