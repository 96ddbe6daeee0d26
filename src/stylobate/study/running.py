"""One run of a study, stage by stage."""

from __future__ import annotations

import platform
from dataclasses import replace
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np

from stylobate.model_selection.fingerprints import fingerprint
from stylobate.study.answering import answer_holdout
from stylobate.study.checks import baseline_warning, separation_warning, suspect_warnings
from stylobate.study.choosing import choose, with_choice
from stylobate.study.comparing import families_of, leaderboard_of
from stylobate.study.curve import curve_of
from stylobate.study.describing import describe
from stylobate.study.encoding import FoldEncodings, make_encoder
from stylobate.study.events import Event, Listener, Stage
from stylobate.study.families import BASELINE, Family, Setting, find_families
from stylobate.study.features import choose_features
from stylobate.study.finishing import final_model
from stylobate.study.fitting import Fitted, fit_whole
from stylobate.study.folder import StudyFolder
from stylobate.study.question import Asked, ask
from stylobate.study.results import (
    LeaderRow,
    Reproduction,
    StudyResult,
    StudyWarning,
    Timing,
)
from stylobate.study.searching import Search
from stylobate.study.sentences import capital, counted, left_out_words
from stylobate.study.splitting import Division, divide
from stylobate.study.store import StudyStore
from stylobate.study.table import StudyTable, fingerprint_of, read_study_table
from stylobate.study.writing import write_study

if TYPE_CHECKING:
    from stylobate.study.study import Study

_SEARCH = 0.75  # of the time, for the search; the rest for what follows it
_EXPLORED_ROWS = 20_000


class StudyRun:
    """The stages of a study; `result` always holds what is known so far."""

    table: StudyTable
    asked: Asked
    division: Division
    search: Search
    store: StudyStore
    result: StudyResult

    def __init__(self, study: Study, listener: Listener | None) -> None:
        self.study = study
        self.listener = listener
        self.folder = None if study.folder is None else StudyFolder(study.folder)
        self.timings: list[Timing] = []
        self.started = datetime.now(UTC)
        self._stage: tuple[Stage, float] | None = None
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
        self._tell("done", "writing", self.result.reason)
        return self.result

    # Before the first fit: nothing is written, everything may be refused.

    def _prepare(self) -> None:
        study = self.study
        self._enter("reading", "reading the table")
        self.table = read_study_table(study.source)
        self.asked = ask(
            self.table, study.target, metric=study.metric, positive=study.positive,
            cost=study.cost, group=study.group, time_column=study.time_column,
        )  # fmt: skip
        self.division = divide(
            self.table, self.asked, holdout=study.holdout, cv=study.cv, seed=study.random_state
        )
        features, left_out, warnings = choose_features(
            self.table, self.asked, self.division.training, study.drop, study.keep
        )
        self.features = self.table.columns.select(features)[self.asked.rows]
        known = tuple(self.table.schema[name] for name in features)
        self.schema = replace(self.table.schema, columns=known)
        self._find_families()
        question = self.asked.question
        columns = counted(len(features), "column")
        shape = f"{counted(self.table.n_rows, 'row')}, {columns} to predict from"
        self._tell("note", "reading", f"{shape}. {capital(question.reason)}.")
        self._tell(
            "note", "reading", f"Judged by {question.metric.label}: {question.metric.reason}."
        )
        self._tell("note", "reading", capital(self.division.plan.how))
        if left_out or self.asked.left_out:
            self._tell("note", "reading", left_out_words(left_out, self.asked.left_out))
        self._enter("exploring", "looking at the columns")
        profile = self._explore()
        data = describe(self.table, self.asked, profile, left_out)
        warnings += suspect_warnings(None if profile is None else profile.target, features)
        self.fingerprint = self._fingerprint()
        if self.folder is not None:
            self.folder.claim()
        path = None
        if self.folder is not None:
            path = self.folder.progress(f"{self.fingerprint}.jsonl")
        self.store = StudyStore.open(path, self.fingerprint)
        if self.store.scores:
            self._tell(
                "note", "exploring", f"{len(self.store.scores)} fits of an earlier run are kept."
            )
        self.result = StudyResult(
            "partial", "not finished", self.asked.question, data, self.division.plan,
            warnings=tuple(warnings), reproduction=self._reproduction(),
        )  # fmt: skip

    def _find_families(self) -> None:
        training = self.division.training
        sample = training[:2000]
        encoder = make_encoder("plain", self.schema)
        assert encoder is not None
        width = np.asarray(encoder.fit_transform(self.features[sample])).shape[1]
        self.families, self.left_out = find_families(
            self.asked, self.study.models, len(training), width, self.study.random_state
        )

    def _explore(self) -> Any:
        """The profile of the training rows, of a sample if there are many; locked rows stay out."""
        from stylobate.exceptions import StylobateError
        from stylobate.exploration import explore

        training = self.table.columns[self.asked.rows[self.division.training]]
        named = {name: training[name] for name in training.columns}
        try:
            return explore(
                named, self.study.target, schema=self.table.schema, sample=_EXPLORED_ROWS,
                seed=self.study.random_state, progress=False,
            )  # fmt: skip
        except StylobateError:  # what cannot be explored can still be learnt
            return None

    def _fingerprint(self) -> str:
        """Of everything that decides what is fitted: data, question, splits, budget, seed."""
        study, question = self.study, self.asked.question
        models: Any = study.models
        if hasattr(models, "items"):
            models = dict(models)
        elif models is not None:
            models = sorted(each.name for each in self.families)
        return fingerprint(
            "study 1", fingerprint_of(self.table.columns), question.target, question.classes,
            question.metric.name, study.cost, study.group, study.time_column, study.drop,
            study.keep, float(study.time), float(study.holdout), int(study.cv),
            study.random_state, models,
        )  # fmt: skip

    # The search.

    def _search(self) -> None:
        training = self.division.training
        encodings = FoldEncodings(
            self.features[training], self.schema, self.asked.y[training], self.division.folds
        )
        budget = _SEARCH * float(self.study.time)
        self.search = Search(
            self.asked, self.families, encodings, self.store, budget, self._fold_done
        )
        self._done, self._total = 0, len(self.families) * len(self.division.folds)
        self._enter("first look", "every family with its first setting")
        self.search.first_look()
        self._done, self._total = 0, len(self.search.waiting()) * len(self.division.folds)
        self._enter("tuning", "other settings, of the best families first")
        self.search.tune()
        self.search.look_at_slow()
        self._rank()

    def _fold_done(self, family: Family, fold: int, folds: int) -> None:
        self._done += 1
        stage = self._stage[0] if self._stage else "first look"
        self._tell(
            "progress", stage, f"{family.role.title}, fold {fold} of {folds}",
            self._done, max(self._total, self._done),
        )  # fmt: skip
        if fold == folds:
            self._rank()

    def _rank(self) -> None:
        """The leaderboard from what is recorded."""
        folds = self.division.folds
        families = families_of(
            self.families, self.left_out, self.store, len(folds), self.asked.sign,
            self.search.too_slow,
        )  # fmt: skip
        rows = leaderboard_of(families, self.asked, folds, len(self.division.training))
        baseline = next((row for row in rows if row.is_baseline), None)
        self.result = replace(
            self.result, families=families, leaderboard=rows, baseline=baseline,
            timings=tuple(self.timings),
        )  # fmt: skip
        if self._stage is not None:
            self._tell("leaderboard", self._stage[0], rows=rows)

    # After the search.

    def _choose(self) -> None:
        rows = self.result.leaderboard
        if not rows:
            from stylobate.exceptions import InvalidDataError

            notes = [f"{f.title}: {f.note}" for f in self.result.families if f.note]
            raise InvalidDataError(f"Every model failed. {' '.join(notes[:3])}")
        choice = choose(self.result.families, self.families, rows, self.asked.question.metric)
        self.family = next(each for each in self.families if each.name == choice.family)
        self.setting = next(each for each in self.family.settings if each.key == choice.key)
        said = [*self.result.warnings, *self._search_warnings(rows)]
        rows = leaderboard_of(
            self.result.families, self.asked, self.division.folds, len(self.division.training),
            choice,
        )  # fmt: skip
        self.result = replace(
            self.result, choice=choice, leaderboard=with_choice(rows, choice),
            warnings=tuple(said),
        )  # fmt: skip
        self._tell("leaderboard", "tuning", rows=self.result.leaderboard)

    def _search_warnings(self, rows: tuple[LeaderRow, ...]) -> list[StudyWarning]:
        found = [] if (worse := baseline_warning(rows)) is None else [worse]
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
        study, asked, training = self.study, self.asked, self.division.training
        seed = study.random_state
        self._enter("learning curve", "would more rows help?")
        curve = curve_of(
            asked, self.family, self.setting, self.search.encodings,
            self.search.price(self.family, self.setting), 0.15 * float(study.time), seed,
            self.store,
        )  # fmt: skip
        self.result = replace(self.result, learning_curve=curve)
        self._enter("hold-out", "asking the locked rows once")
        trained = self._fitted(self.family, self.setting, training)
        self._ask_holdout(trained)
        self._warn_of_separation()
        self._enter("refitting", "fitting the chosen model to all rows")
        every = np.arange(len(asked.y))
        final = self._fitted(self.family, self.setting, every, labelled=True)
        self.pipeline = final.pipeline
        file = None if self.folder is None else "model.stylobate"
        self.result = replace(self.result, model=final_model(final, len(every), file))
        self._enter("explaining", "what the model uses, and where it is wrong")
        self._explain(final, trained)
        self.result = replace(
            self.result, status="complete", reason="all stages are finished",
            timings=tuple(self.timings),
        )  # fmt: skip

    def _fitted(
        self, family: Family, setting: Setting, rows: Any, *, labelled: bool = False
    ) -> Fitted:
        table, y = self.features[rows], self.asked.y[rows]
        return fit_whole(self.asked, family, setting, table, self.schema, y, labelled=labelled)

    def _ask_holdout(self, trained: Fitted) -> None:
        locked = self.division.holdout
        baseline = next(each for each in self.families if each.name == BASELINE)
        plain = self._fitted(baseline, baseline.settings[0], self.division.training)
        scores = [self.store.scores[self.setting.key, k] for k in range(self.search.n_folds)]
        expected = self.asked.sign * float(np.mean([each.score for each in scores]))
        known = self.store.facts.get("hold-out questions")
        log = None
        if self.folder is not None and known is None:
            question = self.asked.question
            name = fingerprint(
                fingerprint_of(self.table.columns), question.target, question.metric.name, locked
            )
            log = self.folder.progress(f"holdout-{name[:16]}.jsonl")
        answer = answer_holdout(
            self.asked, trained, plain, self.features[locked], self.asked.y[locked], expected, log,
            self.study.random_state, known,
        )  # fmt: skip
        if known is None:
            self.store.remember("hold-out questions", answer.questions)
        self.result = replace(self.result, holdout=answer)

    def _warn_of_separation(self) -> None:
        if self.asked.question.task == "regression":
            return
        encoder = make_encoder("scaled", self.schema)
        assert encoder is not None
        training = self.division.training
        x = np.asarray(encoder.fit_transform(self.features[training]))
        names = encoder.get_feature_names_out()
        found = separation_warning(x, self.asked.y[training], [str(name) for name in names])
        if found is not None:
            self.result = replace(self.result, warnings=(*self.result.warnings, found))

    def _explain(self, final: Fitted, trained: Fitted) -> None:
        from stylobate.study.explaining import explain

        assert self.result.choice is not None
        explanation = explain(
            self.asked, self.result.choice, final, trained, self.features, self.division.holdout,
            self.asked.y, self.asked.rows, self.study.random_state,
        )  # fmt: skip
        self.result = replace(self.result, explanation=explanation)

    def _stop(self) -> None:
        """Ctrl-C: what is recorded makes a partial result."""
        stage = self._stage[0] if self._stage else "first look"
        if not self.store.scores:
            raise KeyboardInterrupt
        if self.result.choice is None:
            self._rank()
        reason = f"stopped during the stage {stage!r}; run the same study again to go on"
        self.result = replace(
            self.result, status="partial", reason=reason, timings=tuple(self.timings)
        )

    def _write(self) -> None:
        self._enter("writing", "writing the folder" if self.folder else "done")
        if self.folder is not None:
            self.result = write_study(self.folder, self.result, self.pipeline)

    # What is told.

    def _reproduction(self) -> Reproduction:
        import scipy

        import stylobate
        from stylobate.parallel import get_threads
        from stylobate.study.command import command_of

        versions = {
            "stylobate": stylobate.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
        }
        return Reproduction(
            command_of(self.study, self.table.name), self.study.random_state, get_threads(),
            self.fingerprint, versions, f"{platform.system()} {platform.machine()}",
            self.started.isoformat(timespec="seconds"),
        )  # fmt: skip

    def _enter(self, stage: Stage, text: str) -> None:
        now = perf_counter()
        if self._stage is not None:
            self.timings.append(Timing(self._stage[0], now - self._stage[1]))
        self._stage = (stage, now)
        self._tell("stage", stage, text)

    def _tell(
        self,
        kind: Any,
        stage: Stage,
        text: str = "",
        done: int = 0,
        total: int = 0,
        rows: tuple[LeaderRow, ...] = (),
    ) -> None:
        if self.listener is not None:
            left = self.search.left if hasattr(self, "search") else None
            self.listener(Event(kind, stage, text, done, total, left, rows))
