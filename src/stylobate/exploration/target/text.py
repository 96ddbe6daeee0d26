"""A target analysis as a page of text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from stylobate.data.words import aligned
from stylobate.exploration.association.value import WORDS
from stylobate.inference.summary.text import number, p_value

if TYPE_CHECKING:
    from stylobate.exploration.target.analysis import TargetAnalysis
    from stylobate.exploration.target.effects import FeatureEffect

_FEATURES, _PAIRS, _WORDS = 15, 5, 12


def target_text(found: TargetAnalysis) -> str:
    """Balance, features, pairs, suspects."""
    what = "classes" if found.balance else "numbers"
    lines = [f"Target {found.name} ({what}, {found.rows} rows)"]
    if found.balance:
        lines += [*repr(found.balance).splitlines()]
    lines += ["", "What each feature alone explains:", *_features(found)]
    clear = [pair for pair in found.pairs if (pair.q_value or 0.0) < 0.05 and pair.gain > 0]
    if clear:
        lines += ["", "Pairs that know more than their sum (beyond, together, q):"]
        rows = [
            (
                f"  {pair.a} × {pair.b}",
                f"{100 * pair.gain:.2g} %",
                f"{100 * pair.explains:.3g} %",
                p_value(float("nan") if pair.q_value is None else pair.q_value),
            )
            for pair in clear[:_PAIRS]
        ]
        lines += aligned(rows, words=1)
    if found.words:
        lines += ["", "Words that go with it:", *(f"  {each!r}" for each in found.words[:_WORDS])]
    if found.suspects:
        lines += ["", "Think before using:"]
        for suspect in found.suspects:
            lines += textwrap.wrap(repr(suspect), 96, initial_indent="  ", subsequent_indent="    ")
    lines += [*([""] if found.notes else []), *found.notes]
    return "\n".join(line.rstrip() for line in lines)


def _features(found: TargetAnalysis) -> list[str]:
    if not found.features:
        return ["  there is no other column to look at"]
    rows = [("  feature", "kind", "measure", "explains", "value", "interval", "q", "rows")]
    rows += [_row(effect) for effect in found.features[:_FEATURES]]
    lines = aligned(rows)
    if len(found.features) > _FEATURES:
        lines.append(f"  … {len(found.features) - _FEATURES} more in .features")
    return lines


def _measure(effect: FeatureEffect) -> str:
    falls = effect.measure == "auc" and effect.value is not None and effect.value < 0.5
    return WORDS[effect.measure] + (", falling" if falls else "")


def _row(effect: FeatureEffect) -> tuple[str, str, str, str, str, str, str, str]:
    missing = float("nan")
    span = "-"
    if effect.low is not None and effect.high is not None:
        span = f"{number(effect.low, 3)} to {number(effect.high, 3)}"
    return (
        f"  {effect.name}",
        effect.kind,
        _measure(effect),
        f"{100 * effect.explains:.3g} %",
        number(missing if effect.value is None else effect.value, 3),
        span,
        p_value(missing if effect.q_value is None else effect.q_value),
        str(effect.n),
    )
