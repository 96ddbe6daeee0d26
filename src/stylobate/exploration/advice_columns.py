"""What to mind about single columns."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from stylobate.exploration.advice import Advice, Findings, Level, gathered, share_text
from stylobate.exploration.variables import Variable

_MOSTLY_MISSING = 0.5
_NOTABLE = 0.05  # share of missing values that weighs
_NEARLY_UNIQUE = 0.9
_MANY = 50  # categories
_SKEWED = 3.0
_MOSTLY_ZERO = 0.5
_FEW_ROWS = 20
_CODE = re.compile(
    r"(^|[\W_])(zip|zipcode|postcode|postal|phone|code|id|fips|ssn|isbn)($|[\W_])", re.IGNORECASE
)


def _constants(findings: Findings) -> Iterator[Advice]:
    empty, same, ticked = [], [], []
    for v in findings.variables:
        if v.kind == "constant" and findings.rows > 1:
            value = v.counts.values[0].value if v.counts else ""
            if v.distinct == 0:
                empty.append((v.name, ""))
            elif v.missing_share >= _NOTABLE:
                ticked.append((v.name, value))
            else:
                same.append((v.name, value))
    yield from gathered(
        "high",
        "constant",
        empty,
        "{name} has no value at all: leave it out.",
        "{count} columns have no value at all: leave them out ({names}).",
    )
    yield from gathered(
        "medium",
        "constant",
        [(name, value if len(value) <= 20 else "") for name, value in same],
        "{name} holds a single value ({detail}): it tells nothing; leave it out.",
        "{count} columns hold a single value and tell nothing; leave them out: {names}.",
    )
    yield from gathered(
        "medium",
        "ticked",
        [(name, value if len(value) <= 20 else "") for name, value in ticked],
        "{name} holds one value or nothing ({detail}): perhaps a box that is ticked or not; then "
        "encode missing as 'no'.",
        "{count} columns hold one value or nothing, perhaps boxes that are ticked or not; then "
        "encode missing as 'no': {names}.",
    )


def _identifiers(findings: Findings) -> Iterator[Advice]:
    found = []
    for v in findings.variables:
        present = v.rows - v.missing
        share = v.distinct / present if present else 0.0
        likely = v.kind == "nominal" and share >= _NEARLY_UNIQUE and present >= _FEW_ROWS
        if v.kind == "identifier" or likely:
            words = "every row" if v.distinct == v.rows else f"{share_text(share)} of its values"
            found.append((v.name, words))
    yield from gathered(
        "medium",
        "identifier",
        found,
        "{name} is different in {detail}: an identifier; leave it out of models.",
        "{count} columns are identifiers, different in (nearly) every row; leave them out of "
        "models: {names}.",
    )


def _missing(findings: Findings) -> Iterator[Advice]:
    most: list[tuple[str, str]] = []
    some: list[tuple[str, str]] = []
    few: list[tuple[str, str]] = []
    for v in sorted(findings.variables, key=lambda v: -v.missing):
        if v.missing == 0 or v.kind == "constant":
            continue
        share = v.missing_share
        weight = most if share >= _MOSTLY_MISSING else some if share >= _NOTABLE else few
        weight.append((v.name, share_text(share)))
    yield from gathered(
        "medium",
        "missing",
        most,
        "{name} is missing in {detail} of rows: whether it is there may tell more than its value; "
        "keep that (MissingIndicator), or leave the column out.",
        "{count} columns are missing in most rows; keep whether they are there (MissingIndicator), "
        "or leave them out: {names}.",
    )
    weights: tuple[tuple[Level, list[tuple[str, str]]], ...] = (("medium", some), ("info", few))
    for level, found in weights:
        yield from gathered(
            level,
            "missing",
            found,
            "{name} is missing in {detail} of rows: impute it (SimpleImputer; TableEncoder does "
            "it).",
            "{count} columns have gaps to be imputed (SimpleImputer; TableEncoder does it): "
            "{names}.",
        )


def _mixed(findings: Findings) -> Iterator[Advice]:
    for v in findings.variables:
        if v.mixed:
            text = f"{v.name!r} is mixed: {v.mixed}. They count as missing where numbers are asked."
            if "of kinds" in v.mixed:
                text = f"{v.name!r} is mixed: {v.mixed}. Decide what it should be, and convert it."
            yield Advice("high", "mixed", (v.name,), text)


def _infinite(findings: Findings) -> Iterator[Advice]:
    found = [
        (v.name, f"{v.numeric.infinite:,}")
        for v in findings.variables
        if v.numeric is not None and v.numeric.infinite
    ]
    yield from gathered(
        "high",
        "infinite",
        found,
        "{name} is infinite in {detail} rows, which models refuse: correct or empty those cells.",
        "{count} columns hold infinite values, which models refuse; correct or empty them: "
        "{names}.",
    )


def _sentinels(findings: Findings) -> Iterator[Advice]:
    found = [
        (name, f"{value} in {share_text(count / max(findings.rows, 1))} of rows")
        for name, (value, count) in findings.sentinels.items()
    ]
    yield from gathered(
        "high",
        "sentinel",
        found,
        "{name} is {detail}, far from all other values: a code for missing? Then empty those "
        "cells.",
        "{count} columns have a frequent value far from all others, perhaps a code for missing; "
        "then empty those cells: {names}.",
    )


def _skewed(findings: Findings) -> Iterator[Advice]:
    found = []
    for v in findings.variables:
        if v.kind != "numeric" or v.numeric is None or v.name in findings.sentinels:
            continue
        if abs(v.numeric.skewness) >= _SKEWED and v.distinct > _FEW_ROWS:
            found.append((v.name, f"{v.numeric.skewness:.1f}"))
    found.sort(key=lambda pair: -abs(float(pair[1])))
    yield from gathered(
        "info",
        "skewness",
        found,
        "{name} has a long tail (skewness {detail}): linear models may like its logarithm or a "
        "PowerTransformer.",
        "{count} columns have long tails; linear models may like logarithms or a PowerTransformer "
        "(skewness in brackets): {names}.",
    )


def _zeros(findings: Findings) -> Iterator[Advice]:
    found = []
    for v in findings.variables:
        present = v.rows - v.missing
        if v.kind == "numeric" and v.numeric is not None and present:
            share = v.numeric.zeros / present
            if share >= _MOSTLY_ZERO:
                found.append((v.name, share_text(share)))
    yield from gathered(
        "info",
        "zeros",
        found,
        "{name} is 0 in {detail} of its values: zero or not may be a column of its own.",
        "{count} columns are mostly 0; zero or not may be a column of its own: {names}.",
    )


def _many_categories(findings: Findings) -> Iterator[Advice]:
    found = []
    for v in findings.variables:
        present = v.rows - v.missing
        if v.kind == "nominal" and v.distinct > _MANY and v.distinct < _NEARLY_UNIQUE * present:
            found.append((v.name, f"{v.distinct:,}"))
    yield from gathered(
        "info",
        "categories",
        found,
        "{name} has {detail} categories: encode it by the target (TargetEncoder), or put rare ones "
        "together (OneHotEncoder's min_frequency).",
        "{count} columns have many categories; encode them by the target (TargetEncoder) or put "
        "rare ones together (min_frequency): {names}.",
    )


def _spellings(findings: Findings) -> Iterator[Advice]:
    for v in findings.variables:
        alike = _alike(v)
        if alike:
            shown = " and ".join(repr(value) for value in alike[:2])
            yield Advice(
                "medium",
                "spelling",
                (v.name,),
                f"{v.name!r} writes the same value in different ways, such as {shown}: unify them.",
            )


def _alike(v: Variable) -> list[str]:
    """Frequent values that differ in case and spaces only."""
    if v.counts is None or v.kind not in ("nominal", "binary", "ordinal"):
        return []
    groups = defaultdict(list)
    for each in v.counts.values:
        groups[" ".join(each.value.casefold().split())].append(each.value)
    return next((group for group in groups.values() if len(group) > 1), [])


def _written_as_text(findings: Findings) -> Iterator[Advice]:
    found = [
        (v.name, v.reason.partition(", written")[2].strip())
        for v in findings.variables
        if ", written" in v.reason and v.kind == "numeric"
    ]
    yield from gathered(
        "info",
        "notation",
        found,
        "{name} holds numbers written as text ({detail}); TableEncoder and stylobate.read convert.",
        "{count} columns hold numbers written as text; TableEncoder and stylobate.read convert "
        "them: {names}.",
    )


def _codes(findings: Findings) -> Iterator[Advice]:
    found = []
    for v in findings.variables:
        whole = v.numeric is not None and float(v.numeric.mean) >= 0 and v.distinct > _FEW_ROWS
        if v.kind == "numeric" and whole and _CODE.search(v.name):
            found.append((v.name, ""))
    yield from gathered(
        "info",
        "code",
        found,
        "{name} holds numbers but is named like a code: if so, schema={{{name}: 'nominal'}}.",
        "{count} columns hold numbers but are named like codes; if so, tell by schema=: {names}.",
    )


RULES = (
    _constants,
    _sentinels,
    _infinite,
    _mixed,
    _identifiers,
    _missing,
    _spellings,
    _many_categories,
    _skewed,
    _zeros,
    _written_as_text,
    _codes,
)
