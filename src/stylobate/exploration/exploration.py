"""`stylobate.explore`: from a table to its profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

import numpy as np

from stylobate.data.kinds.schema import Kind, Schema
from stylobate.exceptions import InvalidParameterError
from stylobate.exploration.advice import Findings, advise
from stylobate.exploration.cells import Cells
from stylobate.exploration.columns import columns_of
from stylobate.exploration.comparison import analyse, compare, compared_note
from stylobate.exploration.description import describe, has_spelled_gaps
from stylobate.exploration.duplicates import duplicates_of
from stylobate.exploration.missingness import Missingness, missingness_of, missingness_of_scan
from stylobate.exploration.outliers import PROFILE_RULES, outlying_of
from stylobate.exploration.profile import Profile
from stylobate.exploration.rows import Scanned, scan
from stylobate.exploration.sentinels import sentinels_of
from stylobate.exploration.target.target_name import check_target_name
from stylobate.exploration.trends import Timeline, Trend, trend_of

_OUTLIERS = 10  # listed for each column


def explore(
    table: Any,
    target: str | None = None,
    *,
    schema: Schema | Mapping[str, Kind] | None = None,
    sample: int = 100_000,
    percentiles: tuple[float, float] = (0.03, 0.97),
    seed: int = 0,
    progress: bool | None = None,
) -> Profile:
    """What a table is like: columns, gaps, repetitions, associations, and what to mind.

    One pass over the rows, however many, in bounded memory: counts, moments and ranges of all rows
    are exact; quantiles, distinct values and frequent values of long columns come from sketches
    that say their error; associations, words and patterns between columns from a uniform sample of
    the rows, with intervals.

    Parameters
    ----------
    table : path, str, Relation, data frame, dictionary of columns or array
        A file or whatever else `stylobate.read` takes; pandas, polars and pyarrow frames; arrays
        and lists of rows; data frames of Dask and Spark and datasets of Ray, which are summarised
        where they are.
    target : str, default=None
        The column to be predicted.
    schema : Schema or mapping from name to kind, default=None
        What columns are, where that is not what their values look like.
    sample : int >= 1, default=100000
        Rows of the sample; tables of no more rows are looked at as a whole.
    percentiles : (float, float), default=(0.03, 0.97)
        Outside of which a value is an outlier by the percentile rule.
    seed : int, default=0
        Of the sample.
    progress : bool, default=None
        Whether rows are counted on the screen while a file is read; None does so in terminals.

    Returns
    -------
    Profile
        Prints; `profile["age"]` is one column, `to_dict`, `to_json` and `to_html` give the rest.

    Examples
    --------
    >>> from stylobate import explore
    >>> profile = explore({"size": [1.5, 2.5, 9.0, 4.0], "colour": ["red", "blue", "red", None]})
    >>> profile["size"].numeric.quantiles[0.5], profile["colour"].missing
    (3.25, 1)
    """
    started = perf_counter()
    _check(sample, percentiles)
    _check_schema(schema)
    scanned = scan(table, sample, seed, progress)
    if target is not None:
        check_target_name(target, scanned.names, "explore")
    cells = columns_of(scanned, schema)
    summaries = scanned.summary.columns if scanned.summary else [None] * len(cells)
    variables = tuple(
        describe(each, kind, scanned.rows, percentiles, summary)
        for each, kind, summary in zip(cells, scanned.types, summaries, strict=True)
    )
    duplicates = duplicates_of(cells, scanned.summary.duplicates if scanned.summary else None)
    missingness = _missingness(cells, scanned, {v.name: v.missing for v in variables})
    told = None if target is None else analyse(cells, target)
    compared = compare(cells, exact=scanned.is_whole, moments=scanned.correlations, told=told)
    findings = Findings(
        scanned.rows, variables, duplicates, missingness, compared, told, sentinels_of(cells)
    )
    return Profile(
        source=scanned.source,
        rows=scanned.rows,
        columns=len(scanned.names),
        sampled_rows=None if scanned.is_whole else scanned.sample.n_rows,
        seconds=perf_counter() - started,
        notes=(*scanned.notes, *compared_note(cells, told)),
        warnings=advise(findings),
        variables=variables,
        duplicates=duplicates,
        missingness=missingness,
        associations=compared,
        target=told,
        trends=_trends(cells),
        outliers=outlying_of(cells, scanned.row_numbers, PROFILE_RULES, _OUTLIERS),
    )


def _check(sample: int, percentiles: tuple[float, float]) -> None:
    if isinstance(sample, bool) or not isinstance(sample, int | np.integer) or sample < 1:
        raise InvalidParameterError(f"explore: sample={sample!r} must be a whole number >= 1.")
    try:
        low, high = percentiles
        good = 0 <= low < high <= 1
    except (TypeError, ValueError):
        good = False
    if not good:
        raise InvalidParameterError(
            f"explore: percentiles={percentiles!r} must be two shares in increasing order, such as "
            "(0.03, 0.97)."
        )


def _check_schema(schema: object) -> None:
    if schema is not None and not isinstance(schema, Schema | Mapping):
        raise InvalidParameterError(
            f"explore: schema={schema!r} must be kinds by name, such as "
            "{'age': 'numeric'}, or a Schema."
        )


def _missingness(
    columns: Sequence[Cells], scanned: Scanned, missing: Mapping[str, int]
) -> Missingness:
    if not columns:
        return Missingness(scanned.rows)
    scan = scanned.summary
    if scan is not None and not has_spelled_gaps(scan):
        return missingness_of_scan(scanned.names, scan)
    gone = np.column_stack([cells.codes < 0 for cells in columns])
    packed = np.packbits(gone, axis=1)
    _, first, counts = np.unique(packed, axis=0, return_index=True, return_counts=True)
    found = missingness_of([c.column.name for c in columns], gone[first], counts)
    # a pass over all rows sees gaps, but not that "NA" is one as well: the sample does
    return found if scan is None else found.scaled(scanned.rows, missing)


def _trends(columns: Sequence[Cells]) -> tuple[Trend, ...]:
    found = []
    for time in (each for each in columns if each.is_temporal):
        moments = np.append(time.values, np.datetime64("NaT"))[time.codes]
        line = Timeline(time.column.name, moments)
        for cells in columns:
            if cells.column.kind in ("numeric", "binary") and cells.is_numeric:
                trend = trend_of(line, cells.column.name, cells.numbers())
                if trend is not None:
                    found.append(trend)
    return tuple(found)
