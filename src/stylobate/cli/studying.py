"""`stylobate study`: from a file to a chosen, explained model and a report."""

from __future__ import annotations

import json as json_module
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stylobate.cli.exit_status import INTERRUPTED
from stylobate.cli.exploring import kinds_of
from stylobate.cli.source import open_source
from stylobate.exceptions import InvalidParameterError

if TYPE_CHECKING:
    from stylobate.study import Event, StudyResult


def study_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A shipped data set (see `stylobate datasets`), a file (CSV, Parquet, JSON, "
            "Excel, SQLite, DuckDB), an http(s) address, or a SELECT in quotes."
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(
            help="The column to predict; table.column of a database or of a folder of files, whose "
            "other tables are then looked up and aggregated."
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(help="classification or regression, where the values leave it open."),
    ] = None,
    kinds: Annotated[
        str | None,
        typer.Option(help="Kinds of columns you know better, as zip=nominal,name=text."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write; SOURCE-TARGET if left out.")
    ] = None,
    time: Annotated[float, typer.Option(help="Seconds the whole study may take, about.")] = 60.0,
    models: Annotated[
        str | None, typer.Option(help="Families to try, as logistic,neighbours; all if left out.")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="What models are judged by: accuracy, auc, log_loss, rmse, mae …"),
    ] = None,
    positive: Annotated[
        str | None, typer.Option(help="Of two classes, the one that is looked for.")
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            help="What a false alarm and a miss cost, as 1:5; decisions are made for the least."
        ),
    ] = None,
    group: Annotated[
        str | None, typer.Option(help="Rows of the same value stay together (patient, customer).")
    ] = None,
    time_column: Annotated[
        str | None, typer.Option(help="Rows are ordered by it: the past predicts the future.")
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            help="auto: by time, by whom rows are about, repeats together, where that is noticed; "
            "random: at random."
        ),
    ] = "auto",
    horizon: Annotated[
        int | None,
        typer.Option(
            help="Of a series in time: how many steps ahead is predicted; the target up to then is "
            "known, and its past among the columns."
        ),
    ] = None,
    drop: Annotated[
        str | None,
        typer.Option(help="Columns to leave out, as a,b,c; of a database also tables, as table.*."),
    ] = None,
    keep: Annotated[
        str | None, typer.Option(help="Columns to keep although they look like the target.")
    ] = None,
    holdout: Annotated[float, typer.Option(help="Share of the rows to lock away.")] = 0.2,
    cv: Annotated[int, typer.Option(help="Folds of the cross-validation.")] = 5,
    seed: Annotated[int, typer.Option(help="Of all draws.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all if left out.")] = None,
    memory: Annotated[
        float,
        typer.Option(
            help="Megabytes the table may take; of a larger one a sample of rows is searched, and "
            "the chosen model fitted to all."
        ),
    ] = 256.0,
    engine: Annotated[
        str | None,
        typer.Option(
            help="dask, ray or spark: all rows are there, on the cluster connected to or on this "
            "machine's threads; a sample is searched."
        ),
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print events and the result as lines of JSON; with --quiet the result."
        ),
    ] = False,
) -> None:
    """Find, check and explain a model that predicts a column; write a report, the model, the data.

    Ctrl-C leaves a partial study; the same command goes on where it stopped. Exit status: 0 done,
    2 the input was refused, 130 stopped by Ctrl-C.
    """
    from stylobate.cli.app import refusing_in_words

    with refusing_in_words():
        study = _study(
            source, target, out, table, query, task=task, kinds=kinds_of(kinds), metric=metric,
            models=listed(models), time=time, holdout=holdout, cv=cv, group=group,
            time_column=time_column, split=split, horizon=horizon, positive=positive,
            cost=_cost(cost), drop=listed(drop) or (), keep=listed(keep) or (), random_state=seed,
            threads=threads, memory=memory, engine=engine,
        )  # fmt: skip
        result = _run(study, quiet, json)
    if json:
        typer.echo(_line({"kind": "result", "result": result.to_dict()}))
    elif not quiet:
        from stylobate.cli.study_text import print_result

        print_result(result, study.folder)
    if result.status == "partial":
        raise typer.Exit(INTERRUPTED)


def _study(
    source: str,
    target: str | None,
    out: Path | None,
    table: str | None,
    query: str | None,
    **options: Any,
) -> Any:
    from stylobate.study import Study
    from stylobate.study.relational.source_tables import open_tables

    several = open_tables(source, target) if table is None and query is None else None
    if several is not None:
        return Study(several, target or "", folder=_folder(out, source, target or ""), **options)
    opened = open_source(source, table, query)
    if not target:
        raise InvalidParameterError(
            f"Say which column to predict with --target; the columns of {opened.name} are: "
            f"{', '.join(opened.columns[:20])}."
        )
    return Study(opened, target, folder=_folder(out, source, target), **options)


def _folder(out: Path | None, source: str, target: str) -> Path:
    folder = out or Path(default_folder(source, target))
    if folder.exists() and not folder.is_dir():
        raise InvalidParameterError(f"--out {str(folder)!r} is a file; give a folder.")
    return folder


def default_folder(source: str, target: str) -> str:
    """The folder of a study that names none.

    >>> default_folder("data/adult.csv.gz", "income (k$)")
    'adult-income_k'
    >>> default_folder("SELECT * FROM 'a.csv'", "y")
    'study-y'
    """
    stem = Path(source).name.split(".")[0] if re.fullmatch(r"[\w./:\\-]+", source) else "study"
    return "-".join(re.sub(r"\W+", "_", part).strip("_") or "study" for part in (stem, target))


def _run(study: Any, quiet: bool, json: bool) -> StudyResult:
    """Run a study and show what it tells."""
    if quiet:
        return study.run()  # type: ignore[no-any-return]
    if json:
        return study.run(lambda event: typer.echo(_line(_event_fields(event))))  # type: ignore[no-any-return]
    from stylobate.cli.study_view import StudyView

    with StudyView(f"{_name(study)} → {study.target}") as view:
        return study.run(view)  # type: ignore[no-any-return]


def _name(study: Any) -> str:
    return Path(study.source.name).name


def _event_fields(event: Event) -> dict[str, Any]:
    from stylobate.report.plain_values import plain

    told: dict[str, Any] = plain(event)  # all keys, also of what is 0 or not known
    rows = told.pop("leaderboard")
    if event.kind == "leaderboard":
        told["leaderboard"] = [
            {key: row[key] for key in ("rank", "key", "title", "mean", "low", "high", "verdict")}
            for row in rows
        ]
    return told


def _line(value: Any) -> str:
    text = json_module.dumps(value, allow_nan=False, ensure_ascii=False)
    sys.stdout.flush()
    return text


def listed(text: str | None) -> list[str] | None:
    """Names from text such as a,b,c.

    >>> listed("a, b,"), listed(None)
    (['a', 'b'], None)
    """
    if text is None:
        return None
    return [part.strip() for part in text.split(",") if part.strip()]


def _cost(text: str | None) -> tuple[float, float] | None:
    """Costs from text such as 1:5."""
    if text is None:
        return None
    try:
        false_alarm, miss = (float(part) for part in text.split(":"))
    except ValueError:
        raise InvalidParameterError(
            f"--cost must be what a false alarm and what a miss costs, such as 1:5, got {text!r}."
        ) from None
    return false_alarm, miss
