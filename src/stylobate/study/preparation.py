"""What comes before the first fit: nothing is written, everything may be refused."""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from datetime import datetime
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from stylobate.data.column_table import ColumnTable
from stylobate.data.kinds import Schema
from stylobate.exceptions import InvalidParameterError
from stylobate.model_selection.fits.fingerprints import fingerprint
from stylobate.study.output.sentences import capital, counted, left_out_words
from stylobate.study.progress import StudyProgress
from stylobate.study.question.question import Asked, ask
from stylobate.study.relational.naming import (
    KEY_REASON,
    many_keys,
    named_fully,
    of_facts,
    related_tables,
)
from stylobate.study.relational.related import Related
from stylobate.study.results import DataSummary, Reproduction, StudyWarning
from stylobate.study.search.encoding import make_encoder
from stylobate.study.search.families import Family, OmittedFamily, find_families
from stylobate.study.table.checks import (
    censoring_warning,
    ragged_warnings,
    repetition_warnings,
    sentinel_warnings,
    suspect_warnings,
)
from stylobate.study.table.description import describe
from stylobate.study.table.division import Division, divide
from stylobate.study.table.features import choose_features, with_marks
from stylobate.study.table.forecasting import (
    Forecast,
    forecast_words,
    past_is_telling,
    with_past,
)
from stylobate.study.table.screening import most_telling
from stylobate.study.table.structure import structure_of
from stylobate.study.table.table import StudyTable, fingerprint_of, read_study_table
from stylobate.study.table.thinning import cells_of, some, thinned

if TYPE_CHECKING:
    from stylobate.study.study import Study

_EXPLORED_ROWS, _EXPLORED_COLUMNS = 20_000, 150
_EXPLORED_CELLS = 100_000  # for each second of a study, where these are more rows
_WIDTH_ROWS = 2000  # that tell how many columns the encoded table has


@dataclass(frozen=True, eq=False)
class Prepared:
    """A question that can be answered.

    Attributes
    ----------
    table : StudyTable
    asked : Asked
    features : ColumnTable
        The columns to predict from, of the rows with a target.
    schema : Schema
        What they are.
    division : Division
        Which rows are locked away, and the folds of the others.
    families : list of Family
        To be tried.
    left_out : list of LeftOut
        Families that take no part.
    data : DataSummary
        The table as the report shows it.
    warnings : tuple of StudyWarning
    fingerprint : str
        Of everything that decides what is fitted: data, question, splits, seed; not of the
        time, for more of it goes on where less has ended.
    forecast : Forecast or None
        Where the target's past is among the columns.
    related : Related or None
        The tables, where there are several.
    """

    table: StudyTable
    asked: Asked
    features: ColumnTable
    schema: Schema
    division: Division
    families: list[Family]
    left_out: list[OmittedFamily]
    data: DataSummary
    warnings: tuple[StudyWarning, ...]
    fingerprint: str
    forecast: Forecast | None = None
    related: Related | None = None


def prepare(study: Study, progress: StudyProgress) -> Prepared:
    """Read the table, understand the question, divide the rows and find the families."""
    progress.enter("reading", "reading the table")
    related = related_tables(study)
    if related is not None:
        study = named_fully(study, related)
    table = _read(study, related)
    asked = ask(
        table, study.target, metric=study.metric, positive=study.positive, cost=study.cost,
        group=study.group, time_column=study.time_column, task=study.task,
    )  # fmt: skip
    asked, structure = structure_of(of_facts(table, related), asked, study.split)
    forecast = None
    if study.horizon is not None:
        table, forecast = with_past(table, asked, structure, study.horizon)
    division = divide(
        table, asked, structure, holdout=study.holdout, cv=study.cv, seed=study.random_state
    )
    if forecast is not None:
        division = replace(division, plan=forecast_words(division.plan, forecast))
    keys = many_keys(table, related, study.keep)
    names, left_out, warnings = choose_features(
        table, asked, division.training, (*study.drop, *keys), study.keep
    )
    left_out |= dict.fromkeys(keys, KEY_REASON)
    features = table.columns.select(names)[asked.rows]
    kinds = {column.name: column for column in table.schema}
    schema = replace(table.schema, columns=tuple(kinds[name] for name in names))
    classes = None if asked.question.task == "regression" else asked.y[division.training]
    division = thinned(
        division, classes, cells_of(features, schema), float(study.time), study.random_state
    )
    families, unsuited = _families(study, asked, features, division.training, schema)
    question = asked.question
    columns = counted(len(names), "column")
    shape = f"{counted(table.n_rows, 'row')}, {columns} to predict from"
    progress.note(f"{shape}. {capital(question.reason)}.")
    progress.note(f"Judged by {question.metric.label}: {question.metric.reason}.")
    if division.plan.noticed:
        progress.note(f"Noticed: {division.plan.noticed}.")
    progress.note(capital(division.plan.how))
    if left_out or asked.left_out:
        progress.note(left_out_words(left_out, asked.left_out))
    progress.enter("exploring", "looking at the columns")
    profile = _profile(study, table, asked, division.training)
    data = describe(table, asked, profile, left_out, division.training, study.random_state)
    of_past = () if forecast is None else forecast.plan.names
    given = [name for name in names if name not in of_past]
    warnings += suspect_warnings(None if profile is None else profile.target, given)
    hint = past_is_telling(table, asked, structure) if forecast is None else None
    warnings += [] if hint is None else [hint]
    warnings += repetition_warnings(features[division.training])
    warnings += sentinel_warnings(profile, question.target, names)
    cut_off = censoring_warning(table, asked)
    warnings += [] if cut_off is None else [cut_off]
    warnings += ragged_warnings(table.notes)
    return Prepared(
        table, asked, features, schema, division, families, unsuited, data, tuple(warnings),
        _fingerprint(study, table, asked, division, families), forecast, related,
    )  # fmt: skip


def _read(study: Study, related: Related | None) -> StudyTable:
    """The table, or a sample of one that is larger than the memory it may take.

    Rows that go by groups or by time are divided by values of theirs, and so all read.
    """
    by_values = any(each is not None for each in (study.group, study.time_column, study.horizon))
    memory = inf if by_values else study.memory * 1e6
    kinds = study.kinds
    if related is not None and study.engine is not None:
        raise InvalidParameterError(
            "Study: several tables are joined on this machine; leave engine out, or give the "
            "joined rows as a frame of the cluster."
        )
    if related is None:
        table = read_study_table(_rows_of(study), memory, study.holdout, study.random_state)
    else:
        table = related.table(memory, study.holdout, study.random_state)
        kinds = {**related.key_kinds(table.columns)[0], **kinds}
    if by_values and table.large is not None:
        raise InvalidParameterError(
            "Study: group, time_column and horizon divide rows by values of theirs, which takes "
            f"all rows in memory, and {table.name} stays on its cluster; leave them out."
        )
    table = with_marks(table)
    return replace(table, schema=table.schema.with_kinds(kinds)) if kinds else table


def _rows_of(study: Study) -> Any:
    """The rows a study was given, or as the engine it names holds them."""
    if study.engine is None:
        return study.source
    from stylobate.sources.clusters.sessions import rows_on

    return rows_on(study.engine, study.source, "Study")


def _families(
    study: Study,
    asked: Asked,
    features: ColumnTable,
    training: NDArray[np.intp],
    schema: Schema,
) -> tuple[list[Family], list[OmittedFamily]]:
    texts = [column.name for column in schema if column.kind == "text"]
    plain = replace(schema, columns=tuple(each for each in schema if each.name not in texts))
    encoder = make_encoder("plain", plain, asked.question.task)
    assert encoder is not None
    few = training[:_WIDTH_ROWS]
    width = len(texts) * encoder.n_directions
    if plain.columns:
        width += encoder.fit_transform(features.select(plain.names)[few], asked.y[few]).shape[1]
    return find_families(
        asked, study.models, len(training), width, study.random_state, texts=bool(texts)
    )


def _profile(study: Study, table: StudyTable, asked: Asked, positions: NDArray[np.intp]) -> Any:
    """The profile of the training rows, of a sample if there are many; locked rows stay out.

    Of a wide table those columns are explored that say most by themselves, of a long one as many
    rows as there is time for, drawn at random.
    """
    from stylobate.exceptions import StylobateError
    from stylobate.exploration import explore

    names = (study.target, *most_telling(table, asked, positions, _EXPLORED_COLUMNS))
    most = max(_EXPLORED_ROWS, int(_EXPLORED_CELLS * float(study.time) / len(names)))
    rows = asked.rows[some(positions, most, study.random_state)]
    training = table.columns.select(names)[rows]
    named = {name: training[name] for name in training.columns}
    schema = replace(table.schema, columns=tuple(c for c in table.schema if c.name in named))
    try:
        return explore(
            named, study.target, schema=schema, sample=_EXPLORED_ROWS,
            seed=study.random_state, progress=False,
        )  # fmt: skip
    except StylobateError:  # what cannot be explored can still be learnt
        return None


def _fingerprint(
    study: Study, table: StudyTable, asked: Asked, division: Division, families: list[Family]
) -> str:
    question = asked.question
    models: Any = study.models
    if hasattr(models, "items"):
        models = dict(models)
    elif models is not None:
        models = sorted(each.name for each in families)
    return fingerprint(
        "study 7", fingerprint_of(table.columns), question.target, question.classes,
        question.metric.name, question.task, sorted(study.kinds.items()), study.cost,
        study.group, study.time_column, study.split, study.horizon, study.drop, study.keep,
        float(study.holdout), int(study.cv), study.random_state, models,
        division.plan.fold_rows,
    )  # fmt: skip


def reproduction_of(study: Study, ready: Prepared, started: datetime) -> Reproduction:
    """What it takes to get the same study again."""
    import scipy

    import stylobate
    from stylobate.parallel import get_threads
    from stylobate.study.question.command import command_of

    versions = {
        "stylobate": stylobate.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
    return Reproduction(
        command_of(study, ready.table.name), study.random_state, get_threads(), ready.fingerprint,
        versions, f"{platform.system()} {platform.machine()}",
        started.isoformat(timespec="seconds"),
    )  # fmt: skip
