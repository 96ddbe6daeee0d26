"""`stylobate migrate`: what swapping a script's imports changes, as a diff that can be applied."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from stylobate.exceptions import InvalidDataError, InvalidParameterError

if TYPE_CHECKING:
    from stylobate.migration import Comparison, Migration


def migrate_command(
    script: Annotated[Path, typer.Argument(help="A Python script that imports scikit-learn.")],
    apply: Annotated[bool, typer.Option("--apply", help="Write the change to the file.")] = False,
    run: Annotated[
        bool,
        typer.Option("--run", help="Run the script before and after, and compare what it prints."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Swap scikit-learn's imports of a script for Stylobate's, wherever Stylobate has the names."""
    from stylobate.cli.app import refusing_in_words

    with refusing_in_words():
        from stylobate.migration import migrate

        text = _text_of(script)
        found = migrate(text)
        comparison = _compared(script, found) if run else None
        if apply and found.after != text:
            _write(script, found.after)
    if json:
        import json as writer

        told: dict[str, object] = found.to_dict()
        if comparison is not None:
            told["same"], told["largest_difference"] = comparison.same, comparison.largest
            told["seconds"] = [comparison.before.seconds, comparison.after.seconds]
        typer.echo(writer.dumps(told, indent=2))
        return
    if not apply:
        typer.echo(found.diff(script.name), nl=False)
    typer.echo(str(found))
    if comparison is not None:
        typer.echo(str(comparison))
    if apply and found.after != text:
        typer.echo(f"{script} was changed.")


def _text_of(script: Path) -> str:
    try:
        return script.read_bytes().decode("utf-8")
    except OSError as error:
        raise InvalidParameterError(f"{script}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise InvalidDataError(
            f"{script} is no text in UTF-8 (byte {error.start}); is it a Python script?"
        ) from error


def _compared(script: Path, found: Migration) -> Comparison:
    from stylobate.migration import compare_runs

    return compare_runs(found.before, found.after, folder=script.resolve().parent)


def _write(script: Path, text: str) -> None:
    """Put the new script in the place of the old one, whole or not at all."""
    fresh = script.with_name(f".{script.name}.migrated")
    try:
        fresh.write_bytes(text.encode("utf-8"))
        fresh.chmod(script.stat().st_mode)
        fresh.replace(script.resolve())
    except OSError as error:
        fresh.unlink(missing_ok=True)
        raise InvalidParameterError(
            f"{script} cannot be written: {error.strerror or error}."
        ) from error
