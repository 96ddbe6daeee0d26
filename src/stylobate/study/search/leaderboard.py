"""From recorded folds to candidates, families and the leaderboard."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from stylobate.inference.comparisons.paired import corrected_interval
from stylobate.model_selection.comparison.result import Comparison
from stylobate.model_selection.validation.score_names import ScoreName, score_name
from stylobate.model_selection.validation.split_sizes import test_to_train
from stylobate.report import number
from stylobate.study.question.metrics import COST
from stylobate.study.question.question import Asked
from stylobate.study.results import Candidate, Choice, FamilyTried, LeaderRow
from stylobate.study.results.few_rows import SHARES, widened
from stylobate.study.search.families import BASELINE, Family, OmittedFamily, Setting
from stylobate.study.search.store import FoldScore, StudyStore

CONFIDENCE = 0.95
_UNSTABLE = 10.0  # times the spread of the best over the folds


def candidates_of(
    family: Family, store: StudyStore, n_folds: int, sign: int, too_slow: dict[str, str]
) -> tuple[Candidate, ...]:
    """The settings of a family that were come to, with their scores as shown."""
    return tuple(
        _candidate(setting, [store.scores.get((setting.key, k)) for k in range(n_folds)], sign,
                   too_slow.get(setting.key))
        for setting in family.settings
    )  # fmt: skip


def _candidate(
    setting: Setting, found: Sequence[FoldScore | None], sign: int, slow: str | None
) -> Candidate:
    known = [each for each in found if each is not None]
    failure = next((each.failure for each in known if each.failure), None)
    scores = tuple(sign * each.score for each in known if each.score is not None)
    whole = len(scores) == len(found)
    status: Any = "done" if whole else "failed" if failure else "too slow" if slow else "stopped"
    said = [text for each in known for text in each.warnings]
    note = failure or (slow if not whole and slow else "") or (said[0] if said else "")
    spread = float(np.std(scores, ddof=1) / np.sqrt(len(scores))) if whole else None
    return Candidate(
        setting.key,
        setting.family,
        dict(setting.params),
        scores,
        float(np.mean(scores)) if whole else None,
        spread,
        sum(each.seconds for each in known),
        status,
        note,
    )


def best_of(candidates: Sequence[Candidate], sign: int) -> Candidate | None:
    """The complete candidate with the best mean; of equals the first."""
    done = [each for each in candidates if each.status == "done"]
    return max(done, key=lambda each: sign * float(each.mean or 0.0), default=None)


def families_of(
    families: Sequence[Family],
    left_out: Sequence[OmittedFamily],
    store: StudyStore,
    n_folds: int,
    sign: int,
    too_slow: dict[str, str],
    glance: Callable[[str], tuple[float, int] | None] = lambda name: None,
) -> tuple[FamilyTried, ...]:
    """What became of every family; of one without a turn, how it did on few rows."""
    found = []
    for family in families:
        tried = candidates_of(family, store, n_folds, sign, too_slow)
        best = best_of(tried, sign)
        states = {each.status for each in tried}
        status: Any = "done" if states == {"done"} else "cut short"
        if best is None:
            status = "failed" if "failed" in states else "left out"
        note = "" if status == "done" else next((e.note for e in tried if e.status != "done"), "")
        if status == "left out":
            seen = glance(family.name)
            note = f"untried: {note}" + ("" if seen is None else _glance_words(*seen, sign))
        found.append(
            FamilyTried(
                family.name, family.role.title, _path(family.kind), family.role.simplicity,
                family.encoding, tried, None if best is None else best.key, status, note,
            )
        )  # fmt: skip
    for each in left_out:
        role = each.role
        found.append(
            FamilyTried(
                role.family, role.title, _path(each.kind), role.simplicity, role.encoding, (), None,
                "left out", each.reason,
            )
        )  # fmt: skip
    return tuple(found)


def _glance_words(score: float, rows: int, sign: int) -> str:
    return f"; a first look at {rows} rows of one fold gave {number(sign * score, 3)}"


def _path(kind: type) -> str:
    """Where people import a class from."""
    package = ".".join(kind.__module__.split(".")[:2])
    return f"{package}.{kind.__name__}"


def leaderboard_of(
    families: Sequence[FamilyTried],
    asked: Asked,
    folds: Any,
    n_rows: int,
    choice: Choice | None = None,
) -> tuple[LeaderRow, ...]:
    """The best setting of every family, the best first, with intervals and tests against it.

    A chosen setting that is not the best of its family has a row of its own.
    """
    sign = asked.sign
    best = {
        each.best: next(c for c in each.candidates if c.key == each.best)
        for each in families
        if each.best is not None
    }
    best |= {
        c.key: c for each in families for c in each.candidates if choice and c.key == choice.key
    }
    if not best:
        return ()
    by_name = {each.name: each for each in families}
    scores = {name: sign * np.array(c.scores) for name, c in best.items()}
    times = {name: np.full(len(c.scores), c.seconds / len(c.scores)) for name, c in best.items()}
    name = asked.question.metric.name
    perfect = 0.0 if name == COST else score_name(name).perfect
    named = ScoreName("score", 1, perfect)  # of which more is better
    leader = max(scores, key=lambda key: float(scores[key].mean()))  # of equals the first
    compared = Comparison(
        scores, times, times, named, test_to_train(folds), n_rows, CONFIDENCE, chosen=leader
    )
    return tuple(
        _row(place + 1, compared, by_name[best[key].family], best[key], asked)
        for place, key in enumerate(compared.names)
    )


def _row(
    rank: int, compared: Comparison, family: FamilyTried, best: Candidate, asked: Asked
) -> LeaderRow:
    sign = asked.sign
    mean, *ends = compared.interval(best.key)
    if compared.score.perfect is not None:  # no score is better than a perfect one
        ends = [min(end, compared.score.perfect) for end in ends]
    if asked.question.metric.name in SHARES:
        ends = [max(end, 0.0) for end in ends]
    low, high = sorted(sign * end + 0.0 for end in ends)  # no minus before a zero
    ends_shown = widened(asked.question.metric.name, sign * mean, low, high, compared.n_rows)
    difference: list[float | None] = [None, None, None]
    p_value = None
    verdict: Any = "best"
    if best.key != compared.reference:
        pair = compared.against_reference(best.key)
        # no contender but a question of its own, which the locked rows are asked once more
        planned = family.name == BASELINE
        p_value = pair.t.p if planned and pair.t is not None else pair.adjusted["t"]
        span = pair.interval if planned else _span(compared, best.key)
        difference = [sign * pair.difference, *sorted(sign * end for end in span)]
        verdict = _planned(compared, best.key) if planned else compared.verdict(best.key)
        if verdict == "within noise":
            if _unstable(compared, best.key):
                verdict = "unstable"
            elif _planned(compared, best.key) == "worse":
                verdict = "likely worse"
    return LeaderRow(
        rank, best.key, family.name, family.title, best.params, sign * mean, *ends_shown,
        difference[0], difference[1], difference[2], p_value, verdict, best.scores, best.seconds,
        family.simplicity, family.name == BASELINE,
    )  # fmt: skip


def _planned(compared: Comparison, key: str) -> str:
    """What the test of one pair by itself says."""
    pair = compared.against_reference(key)
    if pair.t is None or not pair.t.p < 1.0 - compared.confidence:
        return "within noise"
    return "worse" if pair.difference < 0.0 else "better"


def _span(compared: Comparison, key: str) -> tuple[float, float]:
    """Interval of the difference to the best, adjusted as its p-value is: the two agree.

    Holm's method multiplies a p-value by a factor; the interval misses 1 − confidence divided by
    that factor, so it holds zero exactly if the adjusted p-value is above 1 − confidence.
    """
    pair = compared.against_reference(key)
    if pair.t is None or not pair.t.p > 0.0:
        return pair.interval
    factor = max(pair.adjusted["t"] / pair.t.p, 1.0)
    level = 1.0 - (1.0 - compared.confidence) / factor
    apart = compared.scores[key] - compared.scores[compared.reference]
    _, low, high = corrected_interval(apart, compared.test_to_train, level)
    return low, high


def _unstable(compared: Comparison, key: str) -> bool:
    """Whether scores vary tenfold those of the best, and fall below the baseline's worst."""
    own, best = compared.scores[key], compared.scores[compared.reference]
    plain = compared.scores.get(BASELINE)
    fails = plain is None or own.min() < plain.min()
    return bool(fails and own.std() > _UNSTABLE * best.std())
