"""One run of a study, stage by stage."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.study.events import Listener
from stylobate.study.explanation.coefficients import seconds_of_refit
from stylobate.study.explanation.final_model import final_model
from stylobate.study.explanation.learning_curve import curve_of
from stylobate.study.explanation.shuffles import affordable_shuffles
from stylobate.study.holdout.asked_once import asked_once
from stylobate.study.holdout.conclusion import conclude
from stylobate.study.holdout.holdout_log import count_question, damage_warning
from stylobate.study.holdout.verdict import answer_holdout
from stylobate.study.output.files import write_study
from stylobate.study.output.folder import StudyFolder
from stylobate.study.preparation import Prepared, prepare, reproduction_of
from stylobate.study.progress import StudyProgress
from stylobate.study.relational.words import with_worth
from stylobate.study.relational.worth import WorthOfTables
from stylobate.study.results import LeaderRow, ScoreAnswer, StudyResult, StudyWarning
from stylobate.study.search.choice import choose, with_choice
from stylobate.study.search.encoding import FoldEncodings, make_encoder
from stylobate.study.search.ensemble import ensemble_of
from stylobate.study.search.families import BASELINE, ENSEMBLE, Family, Setting
from stylobate.study.search.leaderboard import families_of, leaderboard_of
from stylobate.study.search.random_claim import claim_of_random_split
from stylobate.study.search.search import Search
from stylobate.study.search.store import StudyStore
from stylobate.study.search.whole_model import WholeModel, fit_whole
from stylobate.study.table.checks import separation_warning
from stylobate.study.table.table import fingerprint_of
from stylobate.study.table.thinning import some
from stylobate.study.whole_table import WholeTable

if TYPE_CHECKING:
    from stylobate.study.study import Study

_SEARCH = 0.7  # of the time, up to the end of the search; the rest for what follows it
_LEAST = 0.3  # of the time, for the search whatever reading and exploring took
_CURVE, _EXPLAIN = 0.1, 0.1  # of the time, for the learning curve, and for explaining
_REFITS = 0.1  # of the time, for the intervals of coefficients; a second at least
_REFIT = "seconds of a refit"
_GLANCE = 0.1  # of the time, for few rows of the families that had no turn
_AVERAGE = 0.1  # of the time, for the average of the best families
_TABLES = 0.15  # of the time, for what tables are worth
_BEFORE = "seconds before the search"
_CLAIM = 0.05  # of the time, for what a random split would have claimed
_SEPARATED_ROWS = 5000  # that are searched for a separating line first
_SLOW = 0.5  # of the search's time left, that a family known to be slow may take at once


class StudyRun:
    """The stages of a study; `result` always holds what is known so far."""

    ready: Prepared
    search: Search
    store: StudyStore
    result: StudyResult
    whole: WholeTable | None  # all rows, of a table that was sampled

    def __init__(self, study: Study, listener: Listener | None) -> None:
        self.study = study
        self.progress = StudyProgress(listener)
        self.folder = None if study.folder is None else StudyFolder(study.folder)
        self.started = datetime.now(UTC)
        self.pipeline: Any = None  # the final one

    def run(self) -> StudyResult:
        """All stages; Ctrl-C after the first fits gives a partial result."""
        self._prepare()
        try:
            try:
                self._search()
                self._choose()
                self._finish()
            except KeyboardInterrupt:
                self._stop()
            self._write()
        finally:
            self.store.close()
            if self.folder is not None:
                self.folder.release()  # does nothing unless nothing was written
        self.progress.tell("done", self.result.reason)
        return self.result

    def _prepare(self) -> None:
        self.ready = ready = prepare(self.study, self.progress)
        if self.folder is not None:
            self.folder.claim()
        path = None
        if self.folder is not None:
            path = self.folder.progress(f"{ready.fingerprint}.jsonl")
        self.store = StudyStore.open(path, ready.fingerprint)
        large = ready.table.large
        self.whole = None if large is None else WholeTable(ready, large)
        if self.store.scores:
            self.progress.note(f"{len(self.store.scores)} fits of an earlier run are kept.")
        self.result = StudyResult(
            "partial", "not finished", ready.asked.question, ready.data, ready.division.plan,
            warnings=ready.warnings,
            reproduction=reproduction_of(self.study, ready, self.started),
        )  # fmt: skip

    # The search.

    def _search(self) -> None:
        training = self.ready.division.training
        encodings = FoldEncodings(
            self.ready.features[training],
            self.ready.schema,
            self.ready.asked.y[training],
            self.ready.division.folds,
            self.ready.asked.question.task,
        )
        if _BEFORE not in self.store.facts:
            self.store.remember(_BEFORE, sum(each.seconds for each in self.progress.so_far()))
        time, before = float(self.study.time), float(self.store.facts[_BEFORE])
        budget = max(_SEARCH * time - before, _LEAST * time)
        self.search = Search(
            self.ready.asked, self.ready.families, encodings, self.store, budget, self._fold_done
        )
        self._done, self._total = 0, len(self.ready.families) * len(self.ready.division.folds)
        self.progress.enter("first look", "every family with its first setting")
        self.search.first_look()
        self.search.look_at_slow(_SLOW)
        self._done, self._total = 0, len(self.search.waiting()) * len(self.ready.division.folds)
        self.progress.enter("tuning", "other settings, of the best families first")
        self.search.tune()
        self.search.look_at_slow()
        self.search.tune()
        self.search.glance_at_untried(_GLANCE * time)
        self._rank()
        self._average()

    def _average(self) -> None:
        """The average of the best families as one more row, if there is time for it."""
        if self.study.models is not None or self.search.untried:
            return  # these and no others; and what was not tried comes before what was
        training = self.ready.features[self.ready.division.training]
        rows, families = self.result.leaderboard, self.ready.families
        y = self.ready.asked.y[self.ready.division.training]
        made = ensemble_of(self.ready.asked, families, rows, training, y, self.ready.schema)
        if made is None:
            return
        parts = dict(made.template.estimators)
        seconds = sum(row.seconds for row in rows if row.family in parts)
        families.append(made)
        self.search.budget += _AVERAGE * float(self.study.time)
        if self.search.add(made, seconds):
            self._rank()
        else:
            families.remove(made)

    def _fold_done(self, family: Family, fold: int, folds: int) -> None:
        self._done += 1
        self.progress.left = self.search.left
        text = f"{family.role.title}, fold {fold} of {folds}"
        self.progress.tell("progress", text, self._done, max(self._total, self._done))
        if fold == folds:
            self._rank()

    def _rank(self) -> None:
        """The leaderboard from what is recorded."""
        folds = self.ready.division.folds
        families = families_of(
            self.ready.families, self.ready.left_out, self.store, len(folds), self.ready.asked.sign,
            self.search.too_slow, self.search.glance,
        )  # fmt: skip
        rows = leaderboard_of(families, self.ready.asked, folds, len(self.ready.division.training))
        baseline = next((row for row in rows if row.is_baseline), None)
        self.result = replace(
            self.result, families=families, leaderboard=rows, baseline=baseline,
            timings=self.progress.so_far(),
        )  # fmt: skip
        self.progress.tell("leaderboard", rows=rows)

    # After the search.

    def _choose(self) -> None:
        rows = self.result.leaderboard
        if not rows:
            from stylobate.exceptions import InvalidDataError

            notes = [f"{f.title}: {f.note}" for f in self.result.families if f.note]
            raise InvalidDataError(f"Every model failed. {' '.join(notes[:3])}")
        choice = choose(
            self.result.families, self.ready.families, rows, self.ready.asked.question.metric
        )
        self.family = next(each for each in self.ready.families if each.name == choice.family)
        self.setting = next(each for each in self.family.settings if each.key == choice.key)
        said = [*self.result.warnings, *self._search_warnings()]
        rows = leaderboard_of(
            self.result.families, self.ready.asked, self.ready.division.folds,
            len(self.ready.division.training), choice,
        )  # fmt: skip
        self.result = replace(
            self.result, choice=choice, leaderboard=with_choice(rows, choice),
            warnings=tuple(said),
        )  # fmt: skip
        self.progress.tell("leaderboard", rows=self.result.leaderboard)

    def _search_warnings(self) -> list[StudyWarning]:
        found: list[StudyWarning] = []
        short = [f.title for f in self.result.families if f.status == "cut short"]
        none = [f.title for f in self.result.families if f.status == "left out" and f.candidates]
        parts = [f"some settings of {', '.join(short)}"] if short else []
        parts += [f"anything of {', '.join(none)}"] if none else []
        if parts:
            text = (
                f"{self.study.time:g} s were not enough to try {' and '.join(parts)}; a longer "
                "study (--time) may find a better model."
            )
            found.append(StudyWarning("time", text))
        failed = [f for f in self.result.families if f.status == "failed"]
        found += [StudyWarning("failure", f"{f.title} failed: {f.note}") for f in failed]
        return found

    def _finish(self) -> None:
        study, asked = self.study, self.ready.asked
        seed = study.random_state
        self.progress.enter("learning curve", "would more rows help?")
        curve = curve_of(
            asked, self.family, self.setting, self.search.encodings,
            self.search.price(self.family, self.setting), _CURVE * float(study.time), seed,
            self.store,
        )  # fmt: skip
        self.result = replace(self.result, learning_curve=curve)
        self._claim()
        self._judge_tables()
        self.search.encodings.release()
        self.progress.enter("hold-out", "asking the locked rows once")
        trained = self._chosen_model(training=True)
        self._ask_holdout(trained)
        self._warn_of_separation()
        self.progress.enter("refitting", "fitting the chosen model to all rows")
        final = self._chosen_model(training=False)
        self.pipeline = self._with_past(final.pipeline)
        file = None if self.folder is None else "model.stylobate"
        n_rows = len(asked.y) if self.whole is None else self.whole.fitted_rows or len(asked.y)
        self.result = replace(
            self.result, model=final_model(final, n_rows, file), pipeline=self.pipeline
        )
        self.progress.enter("explaining", "what the model uses, and where it is wrong")
        self._explain(final, trained)
        self._tell_reading()
        self.result = replace(
            self.result, status="complete", reason="all stages are finished",
            timings=self.progress.so_far(),
        )  # fmt: skip

    def _with_past(self, pipeline: Any) -> Any:
        """The pipeline, which finds the target's past and other tables' columns itself."""
        from stylobate.pipeline import Pipeline

        forecast, related = self.ready.forecast, self.ready.related
        columns = self.ready.features.columns
        if related is not None:
            return Pipeline(
                [("tables", related.step(columns, self.ready.table.schema)), *pipeline.steps]
            )
        if forecast is None:
            return pipeline
        past = forecast.step(self.ready.table, self.ready.asked, columns)
        return Pipeline([("past", past), *pipeline.steps])

    def _claim(self) -> None:
        """What rows drawn at random would have claimed of the chosen model, or of the best."""
        rows = self.result.leaderboard
        row = next(each for each in rows if each.is_chosen)
        family, setting = self.family, self.setting
        if row.is_baseline:  # then of the best model, whose claim may be why one would believe it
            found = next((each for each in rows if not each.is_baseline), None)
            if found is None:
                return
            row = found
            family, setting = self._of_row(row)
        price = max(self.search.price(family, setting), 1e-6)
        folds = int(_CLAIM * float(self.study.time) / price)
        claim = claim_of_random_split(
            self.ready.asked, family, setting, self.search.encodings, row, self.result.split,
            folds, self.store,
        )  # fmt: skip
        self.result = replace(self.result, random_split=claim)

    def _of_row(self, row: LeaderRow) -> tuple[Family, Setting]:
        family = next(each for each in self.ready.families if each.name == row.family)
        return family, next(each for each in family.settings if each.key == row.key)

    def _judge_tables(self) -> None:
        """What each table is worth to the chosen model, or to the best single one."""
        related = self.ready.related
        if related is None:
            return
        self.progress.enter("tables", "which tables earn their place")
        relations = related.relations(self.ready.features.columns)
        single = [r for r in self.result.leaderboard if r.family not in (BASELINE, ENSEMBLE)]
        row = next((each for each in single if each.is_chosen), single[0] if single else None)
        columns = related.of_tables(self.ready.features.columns)
        if row is not None and columns:
            family, setting = self._of_row(row)
            judged = WorthOfTables(
                self.ready.asked, family, setting, self.search.encodings, columns,
                {name: related.below(name)[1:] for name in columns},
                self.search.price(family, setting), _TABLES * float(self.study.time), self.store,
            )  # fmt: skip
            relations = with_worth(relations, judged, row, self.result)
        self.result = replace(self.result, relations=relations)

    def _chosen_model(self, *, training: bool) -> WholeModel:
        """The chosen model fitted to the training rows, or to all of them in the table's labels."""
        rows = self.ready.division.training if training else np.arange(len(self.ready.asked.y))
        if self.whole is not None:
            sample = self.ready.features[rows]
            found = self.whole.fitted(
                self.family,
                self.setting,
                sample,
                self.ready.asked.y[rows],
                training=training,
                labelled=not training,
            )
            if found is not None:
                return found
        return self._fitted(self.family, self.setting, rows, labelled=not training)

    def _fitted(
        self, family: Family, setting: Setting, rows: Any, *, labelled: bool = False
    ) -> WholeModel:
        table, y = self.ready.features[rows], self.ready.asked.y[rows]
        return fit_whole(
            self.ready.asked, family, setting, table, self.ready.schema, y, labelled=labelled
        )

    def _ask_holdout(self, trained: WholeModel) -> None:
        locked = self.ready.division.holdout
        baseline = next(each for each in self.ready.families if each.name == BASELINE)
        plain = self._fitted(baseline, baseline.settings[0], self.ready.division.training)
        row = next(each for each in self.result.leaderboard if each.is_chosen)
        metric = self.ready.asked.question.metric
        expected = ScoreAnswer(
            metric.name, metric.label, row.mean, row.low, row.high, metric.greater_is_better
        )
        log = None
        if self.folder is not None:
            # the same rows are the same whatever they are asked by
            name = fingerprint(
                fingerprint_of(self.ready.table.columns),
                self.ready.asked.question.target,
                np.sort(self.ready.asked.rows[locked]),
            )
            log = self.folder.progress(f"holdout-{name[:16]}.jsonl")
        rows, y = self.ready.features[locked], self.ready.asked.y[locked]
        once = replace(trained, pipeline=asked_once(trained.pipeline, rows))
        counted = count_question(self.ready.asked, once.pipeline, rows, y, log, self.store)
        answer = answer_holdout(
            self.ready.asked, once, plain, rows, y, expected, counted, self.study.random_state,
            self.ready.division.locked_units,
        )  # fmt: skip
        self.result = replace(self.result, holdout=answer)
        if self.whole is not None:
            self.whole.score(trained, answer)
        if (warning := damage_warning(counted, log)) is not None:
            self.result = replace(self.result, warnings=(*self.result.warnings, warning))
        self.result = conclude(self.result)

    def _tell_reading(self) -> None:
        """What was read of a table larger than memory, among the notes on the data."""
        if self.whole is None:
            return
        reading = self.whole.reading()
        data = replace(self.result.data, notes=(*self.result.data.notes, *reading.words))
        self.result = replace(self.result, reading=reading, data=data)
        for sentence in reading.words:
            self.progress.note(sentence)

    def _warn_of_separation(self) -> None:
        if self.ready.asked.question.task == "regression":
            return
        schema = self.ready.schema  # texts separate classes whenever there are more words than rows
        kept = tuple(column for column in schema if column.kind != "text")
        encoder = make_encoder(
            "scaled", replace(schema, columns=kept), self.ready.asked.question.task
        )
        if encoder is None or not kept:
            return
        training = self.ready.division.training
        features = self.ready.features.select([column.name for column in kept])
        found = None
        # rows that no line separates are not separated among more rows either
        for most in (_SEPARATED_ROWS, len(training)):
            rows = some(training, most, self.study.random_state)
            y = self.ready.asked.y[rows]
            x = np.asarray(encoder.fit_transform(features[rows], y))
            names = encoder.get_feature_names_out()
            found = separation_warning(x, y, [str(name) for name in names])
            if found is None or len(rows) == len(training):
                break
        if found is not None:
            self.result = replace(self.result, warnings=(*self.result.warnings, found))

    def _explain(self, final: WholeModel, trained: WholeModel) -> None:
        from stylobate.study.explanation.explanation import EXPLAINED_ROWS, explain

        assert self.result.choice is not None
        seed = self.study.random_state
        shown = self.ready.features[some(self.ready.division.holdout, EXPLAINED_ROWS, seed)]
        strongest = [each.name for each in self.result.data.strengths]
        shuffles = affordable_shuffles(
            trained.pipeline, shown, strongest, _EXPLAIN * float(self.study.time), self.store
        )
        explanation = explain(
            self.ready.asked, self.result.choice, final, trained, self.ready.features,
            self.ready.division.holdout, self.ready.asked.y, self.ready.asked.rows,
            seed, shuffles, self._affordable_refits(final),
        )  # fmt: skip
        self.result = replace(self.result, explanation=explanation)

    def _affordable_refits(self, final: WholeModel) -> int:
        """How many fits to resampled rows there is time for, by what one takes."""
        asked = self.ready.asked
        if _REFIT not in self.store.facts:
            self.store.remember(_REFIT, seconds_of_refit(final, asked, asked.y))
        allowed = max(_REFITS * float(self.study.time), 1.0)
        return int(allowed / max(float(self.store.facts[_REFIT]), 1e-6))

    def _stop(self) -> None:
        """Ctrl-C: what is recorded makes a partial result."""
        if not self.store.scores:
            raise KeyboardInterrupt
        if self.result.choice is None:
            self._rank()
        reason = (
            f"stopped during the stage {self.progress.stage!r}; run the same study again to go on"
        )
        self.result = replace(
            self.result, status="partial", reason=reason, timings=self.progress.so_far()
        )

    def _write(self) -> None:
        self.progress.enter("writing", "writing the folder" if self.folder else "done")
        if self.folder is not None:
            self.result = write_study(self.folder, self.result, self.pipeline)
