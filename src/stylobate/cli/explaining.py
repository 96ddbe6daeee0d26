"""`stylobate explain`: a model in words, or why it says what it says about one row."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stylobate.cli.source import did_you_mean, open_source
from stylobate.exceptions import InvalidDataError, InvalidParameterError, StylobateWarning

if TYPE_CHECKING:
    from stylobate.cli.prediction_columns import Wanted
    from stylobate.data.reading import Relation
    from stylobate.inspection import RowExplanation

_ENOUGH = 20  # rows of a source that tell what is typical


def explain_command(
    model: Annotated[Path, typer.Argument(help="A model file, as `save` and `study` write it.")],
    about: Annotated[
        list[str] | None,
        typer.Argument(
            help="A source of rows (a file, an address, a shipped data set), and values of a row "
            "as column=value; without either, the model itself is explained."
        ),
    ] = None,
    row: Annotated[
        int | None, typer.Option(help="The row of the source; 1 is the first below the header.")
    ] = None,
    output: Annotated[str | None, typer.Option(help="The class that is explained.")] = None,
    most: Annotated[int, typer.Option(help="Columns that are told.")] = 10,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Explain a model, or its prediction for one row, column by column."""
    from stylobate.cli.app import refusing_in_words

    with refusing_in_words():
        source, pairs = _told_apart(about or [])
        if most < 1:
            raise InvalidParameterError(f"--most must be 1 or more, got {most}.")
        if row is not None and pairs:
            raise InvalidParameterError("Give a row by --row or by column=value, not by both.")
        if row is not None and source is None and query is None:
            raise InvalidParameterError(
                "--row needs a source: stylobate explain MODEL SOURCE --row 1."
            )
        if source is None and not pairs:
            text = _model(model, json)
        else:
            number = 1 if row is None else row
            why = _row(model, source, pairs, number, output, table, query)
            text = _as_json(why) if json else why.words(most)
    typer.echo(text)


def _told_apart(given: list[str]) -> tuple[str | None, dict[str, str]]:
    """The source, and values of columns."""
    sources = [each for each in given if "=" not in each]
    pairs = dict(each.split("=", 1) for each in given if "=" in each)
    if len(sources) > 1:
        raise InvalidParameterError(
            f"One source of rows at most, got {', '.join(map(repr, sources))}; values are written "
            "as column=value."
        )
    return (sources[0] if sources else None), {name.strip(): each for name, each in pairs.items()}


def _model(path: Path, json: bool) -> str:
    from stylobate.inspection.model_text import model_text
    from stylobate.storage import describe, load

    told = describe(path)
    if json:
        from json import dumps

        return dumps(told, indent=2, allow_nan=False, ensure_ascii=False)
    known = told.get("about") or {}
    features = (told.get("schema") or {}).get("features") or []
    kinds = {str(each["name"]): str(each["kind"]) for each in features if each.get("kind")}
    text = model_text(load(path), target=str(known.get("target", "y")), kinds=kinds)
    made = [f"Written by stylobate {told.get('stylobate')}."]
    if known.get("command"):
        made.append(f"Made by: {known['command']}")
    return "\n\n".join([text, "\n".join(made)])


def _row(
    path: Path,
    source: str | None,
    pairs: dict[str, str],
    row: int,
    output: str | None,
    table: str | None,
    query: str | None,
) -> RowExplanation:
    from stylobate.cli.prediction_columns import wanted_by
    from stylobate.inspection import explain_row
    from stylobate.storage import load

    model = load(path)
    if not hasattr(model, "predict"):
        raise InvalidParameterError(
            f"{str(path)!r} holds a {type(model).__name__}, which transforms and predicts nothing."
        )
    wanted = wanted_by(model)
    _check_names(pairs, wanted)
    background, found = None, None
    if source is not None:
        background, found = _rows(open_source(source, table, query), wanted, None if pairs else row)
        background = background if pairs else _compared_with(model, background)
    x = found if found is not None else _values(pairs, wanted)
    try:
        with warnings.catch_warnings():  # that a step was fitted without names is no news here
            warnings.simplefilter("ignore", StylobateWarning)
            return explain_row(model, x, background, output=output)
    except InvalidParameterError as error:
        if background is None and "background" in str(error):
            raise InvalidParameterError(
                "This model does not remember what its columns typically hold; name a source of "
                "rows to compare with, more than one: stylobate explain MODEL SOURCE column=value."
            ) from error
        raise


def _compared_with(model: Any, rows: Any) -> Any:
    """Rows to compare with; None, a typical row, where they are few and the model knows one."""
    from stylobate.inspection.typical import typical_rows

    if rows is None or len(rows) >= _ENOUGH:
        return rows
    try:
        typical_rows(model)
    except InvalidParameterError:
        return rows if len(rows) > 1 else None
    return None


def _check_names(pairs: dict[str, str], wanted: Wanted) -> None:
    for name in pairs:
        if name not in wanted.names:
            raise InvalidParameterError(
                f"The model has no column {name!r}.{did_you_mean(name, wanted.names)} It has "
                f"{', '.join(wanted.names[:12])}{', …' if len(wanted.names) > 12 else ''}."
            )


def _rows(relation: Relation, wanted: Wanted, number: int | None) -> tuple[Any, Any]:
    """Rows to compare with, from the beginning of the source, and the row of a number from 1."""
    import numpy as np

    from stylobate.cli.prediction_columns import as_wanted, chosen
    from stylobate.cli.prediction_rows import ROWS_AT_ONCE, as_table
    from stylobate.data.indexing import take_rows

    names = chosen(wanted, relation.columns, relation.name)
    background, found, start = None, None, 0
    row = None if number is None else number - 1
    for columns in relation.batches(ROWS_AT_ONCE, library="numpy"):
        count = len(next(iter(columns.values())))
        taken, wrong = as_wanted(columns, names, wanted)
        whole = as_table(taken, wanted)
        if background is None:
            good = np.array([k for k in range(count) if k not in wrong], dtype=np.intp)
            background = take_rows(whole, good)
        if row is None:
            break
        if start <= row < start + count:
            if row - start in wrong:
                raise InvalidDataError(f"Row {number} cannot be predicted: {wrong[row - start]}.")
            found = take_rows(whole, np.array([row - start]))
            break
        start += count
    if row is not None and (found is None or row < 0):
        raise InvalidParameterError(
            f"--row {number}: {relation.name} has {len(relation)} rows, numbered from 1."
        )
    return background, found


def _values(pairs: dict[str, str], wanted: Wanted) -> dict[str, Any]:
    """Values typed as the model takes them; what is not named is missing."""
    from stylobate.cli.prediction_columns import NUMBER, TEXT

    kinds = dict(zip(wanted.names, wanted.kinds, strict=True))
    values: dict[str, Any] = {}
    for name, text in pairs.items():
        number = _number(text)
        if kinds[name] == NUMBER and number is None and text.strip():
            raise InvalidParameterError(f"The column {name!r} holds numbers, got {text!r}.")
        if not text.strip():
            values[name] = None
        else:
            values[name] = text if kinds[name] == TEXT or number is None else number
    return values


def _number(text: str) -> float | int | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return (
        int(value) if value.is_integer() and "." not in text and "e" not in text.lower() else value
    )


def _as_json(why: RowExplanation) -> str:
    from json import dumps

    told = {
        "predicted": why.predicted,
        "probabilities": {str(label): share for label, share in why.probabilities.items()},
        "explained": why.label,
        "scale": why.scale,
        "base": why.base,
        "value": why.prediction,
        "method": why.method,
        "against": why.against,
        "notes": list(why.notes),
        "contributions": [
            {"column": name, "value": value, "contribution": added, "std_error": error}
            for name, value, added, error in zip(*why.to_dict().values(), strict=True)
        ],
    }
    return dumps(told, indent=2, ensure_ascii=False, default=str)
