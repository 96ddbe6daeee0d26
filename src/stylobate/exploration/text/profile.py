"""A profile as text: head, what to mind, columns, associations, target."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from stylobate.data.kinds.schema import shortened
from stylobate.exploration.advice import share_text
from stylobate.exploration.association.value import WORDS, Association
from stylobate.exploration.text.columns import columns_text, words_of
from stylobate.exploration.text.words import fitted, padded, paragraph, printable, width_of

if TYPE_CHECKING:
    from stylobate.exploration.profile import Profile

_MOST_ADVICE = 15
_MOST_PAIRS = 8
_MOST_FEATURES = 12
_MOST_OUTLIERS = 5
_MARKS = {"high": "!! ", "medium": "!  ", "info": "·  "}
_NAME = 22  # cells of each name of a pair
_BY_CHANCE = 0.05  # q-values above: not worth a line


def profile_text(profile: Profile) -> str:
    """The whole profile, at most 100 columns wide."""
    parts = [_head(profile), _advice(profile)]
    if profile.variables:
        parts.append(columns_text(profile.variables))
    parts += [_outliers(profile), _associations(profile), _target(profile)]
    return "\n\n".join(part for part in parts if part)


def _head(profile: Profile) -> str:
    shape = f"{profile.rows:,} rows × {profile.columns:,} columns"
    lines = [printable(f"{profile.source}: {shape}")]
    kinds = Counter(v.kind for v in profile.variables)
    if kinds:
        lines.append(paragraph(", ".join(f"{n} {kind}" for kind, n in kinds.most_common())))
    cells = profile.rows * profile.columns
    missing = sum(v.missing for v in profile.variables)
    told = []
    if missing:
        told.append(f"{share_text(missing / cells)} of the cells missing")
        complete = profile.missingness.complete_rows
        about = "" if profile.missingness.exact else "about "
        told.append(f"{about}{complete:,} rows complete ({share_text(complete / profile.rows)})")
    elif cells:
        told.append("nothing missing")
    repeated = profile.duplicates
    about = "" if repeated.exact else "about "
    told.append(f"{about}{repeated.rows:,} repeated rows" if repeated.rows else "no row repeated")
    if profile.rows:
        lines.append(paragraph(", ".join(told)))
    if profile.sampled_rows is not None:
        lines.append(paragraph(f"associations and words from {profile.sampled_rows:,} random rows"))
    lines += [paragraph(note) for note in profile.notes]
    return "\n".join(lines)


def _advice(profile: Profile) -> str:
    if not profile.warnings:
        return ""
    shown = profile.warnings[:_MOST_ADVICE]
    lines = ["What to mind"]
    lines += [paragraph(advice.text, _MARKS[advice.level]) for advice in shown]
    rest = len(profile.warnings) - len(shown)
    if rest:
        lines.append(f"  … and {rest} more in .warnings")
    return "\n".join(lines)


def _outliers(profile: Profile) -> str:
    found = profile.outliers
    if not found.values:
        return ""
    of = "" if profile.sampled_rows is None else f" of {found.n_rows:,} sampled rows"
    lines = [f"Outlying values{of}, the furthest out (row numbers from 0; all in .outliers)"]
    seen: set[str] = set()
    for each in found.values:  # one of each column
        if each.column not in seen and len(seen) < _MOST_OUTLIERS:
            seen.add(each.column)
            lines.append(paragraph(printable(str(each))))
    return "\n".join(lines)


def _associations(profile: Profile) -> str:
    strongest = profile.associations.strongest(_MOST_PAIRS)
    strongest = tuple(each for each in strongest if (each.q_value or 0.0) < _BY_CHANCE)
    if not strongest:
        return ""
    names = [f"{_short(each.a)} – {_short(each.b)}" for each in strongest]
    width = min(max(map(width_of, names)), 48)
    lines = [f"Strongest associations ({100 * profile.associations.level:g} % intervals)"]
    for name, each in zip(names, strongest, strict=True):
        measure = WORDS.get(each.measure, each.measure)
        lines.append(f"  {padded(name, width)}  {measure:<19}  {_with_interval(each)}")
    return "\n".join(lines)


def _short(name: str) -> str:
    """A name of a pair, cut in its middle so that the other is seen as well."""
    name = shortened(printable(name), _NAME)
    return fitted(name, min(width_of(name), _NAME))


def _with_interval(each: Association) -> str:
    return f"{each.value or 0.0:>6.2f}  {_interval(each.low, each.high)}".rstrip()


def _interval(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"[{low:.2f}, {high:.2f}]"


def _target(profile: Profile) -> str:
    target = profile.target
    if target is None:
        return ""
    own = profile[target.name]
    said = fitted(words_of(own), 50).rstrip()
    lines = [f"Target {fitted(own.name, 40).rstrip()} ({own.kind}): {said}"]
    if profile.sampled_rows is not None:
        lines.append(
            paragraph(
                f"what follows is of a sample of {profile.sampled_rows:,} rows, {target.rows:,} of "
                "them with a target"
            )
        )
    shown = [each for each in target.features if each.value is not None][:_MOST_FEATURES]
    if shown:
        name = max(min(max(width_of(each.name) for each in shown), 30), len("feature"))
        lines.append(f"  {padded('feature', name)}  {'measure':<19}   value  explains")
    for each in shown:
        measure = WORDS.get(each.measure, each.measure)
        explains = share_text(each.explains)
        lines.append(
            f"  {padded(each.name, name)}  {measure:<19}  {each.value:>6.2f}  {explains:>8}  "
            f"{_interval(each.low, each.high)}".rstrip()
        )
    rest = len(target.features) - len(shown)
    if rest:
        lines.append(f"  … and {rest} more in .target.features")
    pairs = [each for each in target.pairs if (each.q_value or 0.0) < _BY_CHANCE and each.gain > 0]
    if pairs:
        told = ", ".join(f"{e.a} × {e.b} (+{share_text(e.gain)})" for e in pairs[:3])
        lines.append(paragraph(f"pairs that explain more than their sum: {told}"))
    return "\n".join(lines + [paragraph(note) for note in target.notes])
