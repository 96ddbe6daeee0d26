"""What to mind about the rows, pairs of columns and the target."""

from __future__ import annotations

from collections.abc import Iterator

from stylobate.data.kinds.schema import shortened
from stylobate.exploration.advice import Advice, Findings, gathered, listed, share_text

_SAME = 0.95  # correlation from which on two columns tell the same
_FEW = 20  # rows, too few to say so
_TOGETHER = 0.9  # correlation of being missing
_EXACTLY = 1 - 1e-9
_UNIQUE = 0.8  # share of different moments of a column that is a series
_RARE = 0.1  # share of the rarest class that deserves a word


def _shape(findings: Findings) -> Iterator[Advice]:
    n, p = findings.rows, len(findings.variables)
    if n == 0:
        yield Advice("high", "rows", (), "The table has no rows.")
    elif p > n:
        text = f"There are more columns ({p:,}) than rows ({n:,}): models need a strong penalty."
        yield Advice("medium", "rows", (), text)


def _repeated(findings: Findings) -> Iterator[Advice]:
    repeated = findings.duplicates
    if repeated.rows and findings.rows:
        share = repeated.rows / findings.rows
        about = "" if repeated.exact else "about "
        be = "row repeats an earlier one" if repeated.rows == 1 else "rows repeat earlier ones"
        text = (
            f"{about}{repeated.rows:,} {be} ({share_text(share)}): drop them unless they are "
            "meant, or the same row lands in training and in test."
        )
        yield Advice("medium" if share >= 0.01 else "info", "duplicates", (), _capital(text))
    for group in repeated.columns:
        names = listed([repr(name) for name in group])
        yield Advice("medium", "duplicates", group, f"{names} are the same in every row: keep one.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _empty_rows(findings: Findings) -> Iterator[Advice]:
    """Rows without any value, whatever columns are empty altogether."""
    filled = {v.name for v in findings.variables if v.missing < v.rows}
    empty = sum(each.rows for each in findings.missingness.patterns if filled <= {*each.columns})
    if empty and filled:
        some = "1 row is" if empty == 1 else f"{empty:,} rows are"
        yield Advice("medium", "rows", (), f"{some} empty altogether: drop what is no row.")


def _missing_together(findings: Findings) -> Iterator[Advice]:
    filled = sum(v.missing < v.rows for v in findings.variables)
    missing = {v.name: v.missing for v in findings.variables}
    groups: list[set[str]] = []
    apart: set[str] = set()  # columns with a gap where the other has none
    for pair in findings.missingness.correlations:
        if pair.value < _TOGETHER:
            continue
        if pair.value < _EXACTLY or missing[pair.a] != missing[pair.b]:
            apart |= {pair.a, pair.b}
        joined = [group for group in groups if pair.a in group or pair.b in group]
        union = {pair.a, pair.b}.union(*joined)
        groups = [group for group in groups if group not in joined] + [union]
    order = {v.name: j for j, v in enumerate(findings.variables)}
    for group in groups:
        names = sorted(group, key=lambda name: order.get(name, 0))
        if len(names) == filled:
            continue  # rows that are empty altogether
        where = (
            "mostly missing in the same rows: there may be one"
            if group & apart
            else "missing in the same rows: there is one"
        )
        told = listed([repr(shortened(name)) for name in names])
        text = f"{told} are {where} reason; find it before imputing."
        yield Advice("info", "missing", tuple(names), text)


def _redundant(findings: Findings) -> Iterator[Advice]:
    same = {frozenset(group) for group in findings.duplicates.columns}
    target = getattr(findings.target, "name", None)
    found = []
    for each in findings.associations.strongest(None):
        pair = frozenset((each.a, each.b))
        strength = each.strength or 0.0
        if strength < _SAME or each.n < _FEW or target in pair:
            continue
        if not each.mutual and each.measure not in ("pearson", "spearman"):
            continue  # a finer column that determines the other holds more than it
        if pair & findings.sentinels.keys():
            continue  # rows with a code for missing make strangers look alike
        if not any(pair <= group for group in same):
            found.append((each.a, each.b, float(each.value or 0.0)))
    if len(found) > 3:
        pairs = listed(
            [f"{shortened(a)!r} – {shortened(b)!r} ({value:.2f})" for a, b, value in found], 4
        )
        names = tuple(dict.fromkeys(name for a, b, _ in found for name in (a, b)))
        text = f"{len(found)} pairs of columns say nearly the same; keep one of each: {pairs}."
        yield Advice("medium", "redundant", names, text)
        return
    for a, b, value in found:
        text = f"{a!r} and {b!r} say nearly the same ({value:.3f}): keep one, or use ridge."
        yield Advice("medium", "redundant", (a, b), text)


def _target(findings: Findings) -> Iterator[Advice]:
    target = findings.target
    if target is None:
        return
    for suspect in target.suspects:
        if suspect.topic != "leakage":
            continue  # identifiers are told of with the columns
        text = (
            f"{suspect.column!r} may give the target away: {suspect.reason}. Would it be known "
            "before the target is?"
        )
        yield Advice("high", "leakage", (suspect.column,), text)
    own = next(v for v in findings.variables if v.name == target.name)
    if own.missing:
        text = (
            f"The target {own.name!r} is missing in {own.missing:,} rows: they cannot be learnt "
            "from; drop them."
        )
        yield Advice("high", "target", (own.name,), text)
    if own.counts is None or own.kind not in ("binary", "nominal", "ordinal"):
        return
    rarest = min(own.counts.values, key=lambda each: each.count)
    if own.counts.others == 0 and rarest.share < _RARE and len(own.counts.values) > 1:
        text = (
            f"Class {rarest.value!r} of the target {own.name!r} has only "
            f"{share_text(rarest.share)} of rows ({rarest.count:,}): stratify the splits, and "
            "judge by precision and recall rather than accuracy."
        )
        yield Advice("medium", "balance", (own.name,), text)


def _gaps(findings: Findings) -> Iterator[Advice]:
    found = [
        (v.name, f"{v.datetime.gaps:,}")
        for v in findings.variables
        if v.datetime is not None
        and v.datetime.gaps
        and v.distinct >= _UNIQUE * (v.rows - v.missing)
    ]
    yield from gathered(
        "info",
        "time",
        found,
        "{name} has regular steps but {detail} gaps: lags and rolling means must not bridge them.",
        "{count} columns of time have regular steps but gaps: {names}.",
    )


RULES = (_shape, _target, _repeated, _empty_rows, _redundant, _missing_together, _gaps)
