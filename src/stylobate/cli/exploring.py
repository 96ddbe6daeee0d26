"""`stylobate explore`: what a table is like, as text, JSON or a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from stylobate.cli.source import open_source
from stylobate.exceptions import InvalidParameterError, StylobateError

if TYPE_CHECKING:
    from stylobate.data.kinds import Kind
    from stylobate.exploration import Profile

_SCHEMA = re.compile(r"schema=(?:infer_schema\(frame\)\.with_kinds\()?\{'([^']*)': '([^']*)'\}\)?")


def explore_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A file (CSV and its relatives, Parquet, JSON, a database), a pattern of files, a "
            "SELECT in quotes, or a shipped data set (see `stylobate datasets`)."
        ),
    ],
    target: Annotated[
        str | None, typer.Option(help="The column to be predicted: what goes with it?")
    ] = None,
    column: Annotated[str | None, typer.Option(help="Show this column only, in detail.")] = None,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    kinds: Annotated[
        str | None, typer.Option(help="What columns are, as age=numeric,zip=nominal.")
    ] = None,
    sample: Annotated[
        int, typer.Option(help="Rows that associations and words come from, at most.")
    ] = 100_000,
    seed: Annotated[int, typer.Option(help="Of the sample.")] = 0,
    html: Annotated[Path | None, typer.Option(help="Write a page to this file.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Say what a table is like: columns, gaps, repetitions, associations, what to mind."""
    from stylobate.cli.app import refusing_in_words

    with refusing_in_words():
        from stylobate.exploration import explore

        asked = kinds_of(kinds)
        opened = open_source(source, table, query)
        try:
            profile = explore(opened, target, schema=asked, sample=sample, seed=seed, progress=None)
        except StylobateError as error:
            raise InvalidParameterError(as_options(str(error))) from error
        profile = _with_options(profile)
        text = _text(profile, column, json)
        if html is not None:
            _write(profile, html)
    typer.echo(text)


def kinds_of(given: str | None) -> dict[str, Kind] | None:
    """Kinds of columns from text such as age=numeric,zip=nominal."""
    if given is None:
        return None
    pairs = [part.rpartition("=") for part in given.split(",") if part.strip()]
    for name, sign, kind in pairs:
        if not sign or not name.strip() or not kind.strip():
            raise InvalidParameterError(
                f"--kinds must be names and kinds, such as age=numeric,zip=nominal, got {given!r}."
            )
    return {name.strip(): cast("Kind", kind.strip()) for name, _, kind in pairs}


def as_options(text: str, words: Mapping[str, str] | None = None) -> str:
    """A sentence whose advice is in options of the command, not in parameters.

    `words` are those of one command: what stands in the sentence, and what shall.

    >>> as_options("If it is one, say so by schema={'y': 'nominal'}, or 'numeric'.")
    "If it is one, say so by --kinds y=nominal, or 'numeric'."
    """
    for parameter, option in (words or {}).items():
        text = text.replace(parameter, option)
    return _SCHEMA.sub(r"--kinds \1=\2", text).replace("schema=:", "--kinds:")


def _with_options(profile: Profile) -> Profile:
    said = tuple(replace(each, text=as_options(each.text)) for each in profile.warnings)
    return replace(profile, warnings=said)


def _text(profile: Profile, column: str | None, json: bool) -> str:
    if column is None:
        return profile.to_json(indent=2) if json else str(profile)
    try:
        variable = profile[column]
    except KeyError as error:
        raise InvalidParameterError(str(error.args[0])) from None
    if json:
        from json import dumps

        return dumps(variable.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
    return str(variable)


def _write(profile: Profile, path: Path) -> None:
    try:
        profile.to_html(path)
    except OSError as error:
        raise InvalidParameterError(
            f"The page cannot be written to {str(path)!r}: {error.strerror}."
        ) from None
