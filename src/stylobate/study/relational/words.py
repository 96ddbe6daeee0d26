"""What tables are worth, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stylobate.report import number
from stylobate.study.relational.worth import SPARE, WorthOfTables
from stylobate.study.results import LeaderRow, StudyResult
from stylobate.study.results.relations import Relations, TableWorth
from stylobate.study.search.families import BASELINE


def with_worth(
    relations: Relations, judged: WorthOfTables, row: LeaderRow, result: StudyResult
) -> Relations:
    """The relations with the worth of each table, of all that can go, and the sentences.

    Parameters
    ----------
    relations : Relations
    judged : WorthOfTables
    row : LeaderRow
        The model that tables were judged by.
    result : StudyResult
        So far.
    """
    each = judged.each()
    together = judged.together(each)
    label = result.question.metric.label
    rows = f", on {judged.rows:,} training rows of each fold" if judged.thinned else ""
    said = [worth_words(each, together, relations.facts)]
    if result.choice is not None and result.choice.family == BASELINE:
        said = ["No model is clearly better than the baseline, so no table earned its place."]
    elif said[0]:
        said.append(f"By {label} of {row.title} on the same folds{rows}, fold by fold.")
    return replace(
        relations,
        model=row.title,
        worth=each,
        together=together,
        words=" ".join(filter(None, said)),
    )


def worth_words(worth: Sequence[TableWorth], together: TableWorth | None, facts: str) -> str:
    """Which tables earned their place, and which can go.

    Examples
    --------
    >>> kept = TableWorth(("customers",), (), 0.6, 0.2, 0.1, 0.3, "earned its place")
    >>> idle = TableWorth(("regions",), (), 0.8, 0.0, -0.01, 0.01, "could be left out")
    >>> worth_words([kept, idle], None, "orders")
    'Tables that earned their place: customers (worse by 0.2 without). At no loss beyond noise the \
join with regions could be left out.'
    """
    if not worth:
        return ""
    earned = [
        f"{named(one)} (worse by {number(one.loss, 3)} without)"
        for one in worth
        if one.verdict == "earned its place"
    ]
    idle = [one for one in worth if one.verdict in SPARE]
    gone = {name for one in idle for name in one.through}
    spare = [named(one) for one in idle if one.tables[0] not in gone]
    unsure = [named(one) for one in worth if one.verdict == "undecided"]
    if earned:
        said = [f"Tables that earned their place: {', '.join(earned)}."]
    else:
        said = [f"No table but {facts} is needed for itself beyond noise."]
    if unsure:
        said.append(f"Not told from noise, but worse without: {listed(unsure)}.")
    if len(spare) == 1:
        said.append(f"At no loss beyond noise the join with {spare[0]} could be left out.")
    elif spare and together is not None and len(together.tables) == len(idle):
        said.append(
            f"At no loss beyond noise the joins with {listed(spare)} could be left out together."
        )
    elif spare:
        each = f"Each of {listed(spare)} could be left out by itself at no loss beyond noise"
        most = "" if together is None else f": at most {listed(together.tables)} can go together"
        said.append(f"{each}, but not all at once{most}.")
    return " ".join(said)


def named(worth: TableWorth) -> str:
    """A table, and what is reached through it.

    >>> named(TableWorth(("shops",), ("regions",), 0.6, 0.2, 0.1, 0.3, "earned its place"))
    'shops with regions'
    """
    also = f" with {listed(worth.through)}" if worth.through else ""
    return f"{worth.tables[0]}{also}"


def listed(names: Sequence[str]) -> str:
    """Names in a row.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
