"""What a study does with all rows of a table of which it searched a sample."""

from __future__ import annotations

import warnings
from typing import Any

from stylobate.data.streams import Batch, Stream
from stylobate.exceptions import StylobateError
from stylobate.metrics import get_scorer
from stylobate.metrics.scoring.accumulation import Judged, score_parts
from stylobate.metrics.scoring.scorers import ManyScorers
from stylobate.model_selection.validation.score_names import score_name
from stylobate.report import number
from stylobate.study.preparation import Prepared
from stylobate.study.question.batch_targets import BatchTargets
from stylobate.study.question.metrics import COST
from stylobate.study.results import HoldoutAnswer, Reading
from stylobate.study.search.families import Family, Setting
from stylobate.study.search.whole_model import WholeModel, fit_whole_stream
from stylobate.study.table.large import LargeTable, answered_rows


class WholeTable:
    """Passes over all rows: the chosen model is fitted to them, and scored on the locked ones.

    Parameters
    ----------
    ready : Prepared
        The study, prepared from a sample.
    large : LargeTable
        All rows.
    """

    def __init__(self, ready: Prepared, large: LargeTable) -> None:
        self.ready, self.large = ready, large
        column = ready.table.schema[ready.asked.question.target]
        self.targets = BatchTargets(ready.asked, column)
        self.fitted_rows = self.holdout_rows = 0
        self.holdout_scores: dict[str, float] = {}
        self.said: list[str] = []

    def fitted(
        self,
        family: Family,
        setting: Setting,
        sample: Any,
        y: Any,
        *,
        training: bool,
        labelled: bool,
    ) -> WholeModel | None:
        """The model fitted to all training rows, or to all rows; None where it needs a sample.

        Parameters
        ----------
        sample : ColumnTable
            The rows in memory, which the encoder learns from.
        y : array
            Their targets.
        """
        stream = self.large.stream
        rows = self._answered(stream.where(self.large.training) if training else stream)
        ready = self.ready
        self.fitted_rows = 0
        try:
            found = fit_whole_stream(
                ready.asked, family, setting, sample, ready.schema, y, rows, labelled=labelled
            )
        except StylobateError as error:
            self._say(f"{family.role.title} could not be fitted to a stream ({error})")
            return None
        if found is None:
            self._say(f"{family.role.title} learns from rows in memory")
            return None
        self.fitted_rows = rows.rows_read // max(rows.passes, 1) if stream.here else rows.count()
        return found

    def _say(self, why: str) -> None:
        said = f"{why}, so it was fitted to the sample of the rows alone."
        if said not in self.said:
            self.said.append(said)

    def score(self, trained: WholeModel, answer: HoldoutAnswer) -> None:
        """Score a model on all locked rows, batch by batch, as it was on those in memory."""
        names = [each.name for each in answer.scores if each.name != COST]
        scorer = ManyScorers({name: get_scorer(name) for name in names})
        rows = self._answered(self.large.stream.where(self.large.locked))
        judged = Judged(trained.pipeline, scorer, lambda: rows)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (self.holdout_scores,) = score_parts([judged], rows, _whole, weighted=False)
        self.holdout_rows = rows.rows_read
        told = [
            f"{said.label} is {number(said.sign * self.holdout_scores[name], 4)}"
            for name, said in ((name, score_name(name)) for name in names[:1])
        ]
        if told:
            self.said.append(f"On all {self.holdout_rows:,} locked rows, {self._how}, {told[0]}.")

    @property
    def _how(self) -> str:
        return "read in batches" if self.large.stream.here else "where they are"

    def _answered(self, stream: Stream) -> Stream:
        return answered_rows(stream, self.ready.features.columns, self.targets)

    def reading(self) -> Reading:
        """What was read so far, and how often."""
        stream, sampled = self.large.stream.origin, self.ready.table.n_rows
        size = None if stream.bytes is None else stream.bytes * stream.passes
        words = [
            f"The table has {self.large.n_rows:,} rows, {self.large.why}; "
            f"{sampled:,} of them, drawn by a hash of their numbers, were searched.",
        ]
        if self.fitted_rows:
            words.append(
                f"The final model was fitted to all {self.fitted_rows:,} rows with a target, "
                f"{self._how}; how its columns are prepared was learnt from the sample."
            )
        amount = "" if size is None else f", {size / 1e6:,.1f} MB of files"
        times = "once" if stream.passes == 1 else f"{stream.passes} times"
        words += self.said
        words.append(f"The table was passed over {times}: {stream.rows_read:,} rows read{amount}.")
        return Reading(
            self.large.n_rows, sampled, stream.passes, stream.rows_read, size,
            self.fitted_rows or sampled, self.holdout_rows, dict(self.holdout_scores), tuple(words),
        )  # fmt: skip


def _whole(first: int, batch: Batch) -> list[Batch]:
    return [batch]
