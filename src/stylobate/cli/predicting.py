"""`stylobate predict`: a model file and a source in, predictions out, row by row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stylobate.cli.exit_status import INTERRUPTED
from stylobate.cli.source import did_you_mean, open_source
from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.cli.prediction_rows import Tally
    from stylobate.data.reading import Relation

SOME_LEFT_OUT = 1  # the exit status when bad rows were left out


def predict_command(
    model: Annotated[Path, typer.Argument(help="A model file, as `save` and `study` write it.")],
    source: Annotated[
        str,
        typer.Argument(
            help="Rows to predict: a file (CSV, Parquet, JSON, Excel, a database), an address, or "
            "a shipped data set."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="A .csv or .parquet file; the screen if left out.")
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of every class.")
    ] = False,
    keep: Annotated[
        str | None, typer.Option(help="Columns of the source to hand on, as a,b,c, or * for all.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print what happened as JSON; needs --out.")
    ] = False,
) -> None:
    """Predict every row of a source; bad rows are told and left out (exit status 1)."""
    from stylobate.cli.app import refusing_in_words
    from stylobate.cli.prediction_text import as_json, as_text

    before = _state(out)
    try:
        with refusing_in_words():
            if json and out is None:
                raise InvalidParameterError(
                    "--json needs --out: without it the predictions themselves are printed."
                )
            tally = _predict(model, source, out, proba, keep, table, query)
    except KeyboardInterrupt:
        typer.echo(_stopped(out, _state(out) == before), err=True)
        raise typer.Exit(INTERRUPTED) from None
    if json:
        typer.echo(as_json(tally, out))
    elif said := as_text(tally):
        typer.echo(said, err=True)
    if tally.left_out:
        raise typer.Exit(SOME_LEFT_OUT)


def _state(out: Path | None) -> tuple[int, int] | None:
    """Which file is there; another one once predictions are written."""
    try:
        found = None if out is None else out.stat()
    except OSError:
        return None
    return None if found is None else (found.st_ino, found.st_mtime_ns)


def _stopped(out: Path | None, unchanged: bool) -> str:
    if out is None:
        return "Stopped by Ctrl-C: the rows above are not all."
    if unchanged:
        return f"Stopped by Ctrl-C: nothing was written to {str(out)!r}."
    return f"Stopped by Ctrl-C when all predictions were in {str(out)!r}."


def _predict(
    path: Path,
    source: str,
    out: Path | None,
    proba: bool,
    keep: str | None,
    table: str | None,
    query: str | None,
) -> Tally:
    from stylobate.cli.prediction_columns import wanted_by
    from stylobate.cli.prediction_output import check_place, write_predictions
    from stylobate.cli.prediction_rows import Tally, answered
    from stylobate.data.reading.ragged import tells_of_ragged
    from stylobate.storage import load

    check_place(out, source)
    model = load(path)
    _check_model(model, proba, path)
    relation = open_source(source, table, query)
    kept = kept_columns(keep, relation, ("row",), ("prediction", "probability_"))
    tally = Tally()
    wanted = wanted_by(model)
    batches = answered(model, relation, wanted, kept, proba=proba, tally=tally)
    first = next(batches, None)
    if first is None:
        raise InvalidDataError(_nothing(relation, tally))
    again = (batch for part in ([first], batches) for batch in part)
    write_predictions(again, list(first), out)
    if tally.reasons:
        tally.lines = dict(relation.lines(tally.reasons))
    tally.notes = [note for note in relation.notes if tells_of_ragged(note)]
    return tally


def _check_model(model: Any, proba: bool, path: Path) -> None:
    if not hasattr(model, "predict"):
        raise InvalidParameterError(
            f"{str(path)!r} holds a {type(model).__name__}, which transforms and predicts nothing."
        )
    if not getattr(model, "__sklearn_is_fitted__", lambda: True)():
        raise InvalidParameterError(
            f"{str(path)!r} holds a {type(model).__name__} that was saved before it was fitted."
        )
    if proba and not hasattr(model, "predict_proba"):
        raise InvalidParameterError(
            f"--proba: the {type(model).__name__} in {str(path)!r} gives no probabilities."
        )


def kept_columns(
    keep: str | None, relation: Relation, written: tuple[str, ...], beginnings: tuple[str, ...] = ()
) -> list[str]:
    """The columns to hand on; none has the name, or the beginning of one, that is written."""
    columns = list(relation.columns)
    if keep is None:
        return []
    names = columns if keep.strip() == "*" else [name.strip() for name in keep.split(",")]
    for name in names:
        if name not in columns:
            raise InvalidParameterError(
                f"--keep: {relation.name} has no column {name!r}.{did_you_mean(name, columns)}"
            )
        if name in written or name.startswith(beginnings):
            raise InvalidParameterError(
                f"--keep: the column {name!r} has the name of one that is written; rename it."
            )
    return names


def _nothing(relation: Relation, tally: Tally) -> str:
    if not tally.rows:
        return f"{relation.name} has no rows."
    row, reason = next(iter(tally.reasons.items()))
    return f"None of the {tally.rows} rows can be predicted; the first: row {row + 1}: {reason}"
