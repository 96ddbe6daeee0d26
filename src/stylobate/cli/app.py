"""The commands: options in, text or JSON out, refusals in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from stylobate.cli.clustering import cluster_command
from stylobate.cli.explaining import explain_command
from stylobate.cli.exploring import explore_command
from stylobate.cli.finding import find_command
from stylobate.cli.fitting import CovarianceName, fit, fit_large
from stylobate.cli.large_design import LargeDesign, is_large
from stylobate.cli.mapping import map_command
from stylobate.cli.migrating import migrate_command
from stylobate.cli.predicting import predict_command
from stylobate.cli.source import choose_columns, make_design, open_source
from stylobate.cli.studying import study_command
from stylobate.exceptions import InvalidParameterError, StylobateError

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

_INTERRUPTED = re.compile("INTERRUPT Error|Query interrupted")  # how DuckDB tells of Ctrl-C


@contextmanager
def refusing_in_words() -> Iterator[None]:
    """Turn the library's refusals into a sentence on standard error and exit status 2."""
    try:
        yield
    except (StylobateError, RuntimeError) as error:
        if _INTERRUPTED.search(str(error)):
            raise KeyboardInterrupt from error
        if not isinstance(error, StylobateError):
            raise
        from rich.console import Console

        console = Console(stderr=True)
        console.print("Error:", style="bold red", end=" ")
        wrapped = console.is_terminal  # a file or a pipe gets the sentence in one line
        console.print(str(error), markup=False, highlight=False, soft_wrap=not wrapped)
        raise typer.Exit(2) from None


def _show_version(wanted: bool) -> None:
    if wanted:
        from stylobate import __version__

        typer.echo(f"stylobate {__version__}")
        raise typer.Exit


@app.callback()
def stylobate(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and leave."
        ),
    ] = False,
) -> None:
    """Statistics and machine learning for tables, with a certificate on every answer."""


@app.command("fit")
def fit_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A shipped data set (see `stylobate datasets`), a file (CSV, Parquet, JSON, "
            "Excel, SQLite, DuckDB), an http(s) address, or postgresql://user@host/database."
        ),
    ],
    target: Annotated[str | None, typer.Option(help="The column to predict.")] = None,
    features: Annotated[
        str | None,
        typer.Option(help="Columns to predict from, as a,b,c; all other numeric ones if left out."),
    ] = None,
    alpha: Annotated[float | None, typer.Option(help="Penalty: fit ridge regression.")] = None,
    alphas: Annotated[
        str | None,
        typer.Option(help="Penalties, as 0.1,1,10: ridge with the best by leave-one-out."),
    ] = None,
    covariance: Annotated[
        CovarianceName, typer.Option(help="How standard errors are estimated.")
    ] = "classical",
    level: Annotated[float, typer.Option(help="Of the confidence intervals, in (0, 1).")] = 0.95,
    memory: Annotated[
        float,
        typer.Option(help="Megabytes the columns may take; larger tables are read in batches."),
    ] = 256.0,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Fit least squares or ridge; print summary, certificate and influential rows."""
    with refusing_in_words():
        relation = open_source(source, table, query)
        chosen = choose_columns(relation, target, _names(features))
        options: dict[str, Any] = {
            "alpha": alpha,
            "alphas": _numbers(alphas),
            "covariance": covariance,
            "level": level,
        }
        if is_large(relation, chosen, memory * 1e6):
            report = fit_large(source, LargeDesign(relation, chosen), **options)
        else:
            report = fit(source, make_design(relation, chosen), **options)
        if json:
            from json import dumps

            text = dumps(report.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
        else:
            from stylobate.cli.text import report_text

            text = report_text(report)
    typer.echo(text)


app.command("explore")(explore_command)
app.command("cluster")(cluster_command)
app.command("map")(map_command)
app.command("study")(study_command)
app.command("predict")(predict_command)
app.command("explain")(explain_command)
app.command("migrate")(migrate_command)
app.command("find")(find_command)


@app.command("datasets")
def datasets_command() -> None:
    """List the data sets shipped with the package."""
    from stylobate.datasets import list_datasets

    _print_pairs(list_datasets())


@app.command("info")
def info_command() -> None:
    """Show versions, threads, instruction set and BLAS."""
    from stylobate.cli.information import information

    _print_pairs(information())


def _print_pairs(pairs: dict[str, str]) -> None:
    width = max(map(len, pairs))
    for label, value in pairs.items():
        typer.echo(f"{typer.style(label.ljust(width), bold=True)}  {value}")


def _names(listed: str | None) -> list[str] | None:
    if listed is None:
        return None
    names = [name.strip() for name in listed.split(",") if name.strip()]
    if not names:
        raise InvalidParameterError("--features names no column; write them as a,b,c.")
    return names


def _numbers(listed: str | None) -> list[float] | None:
    if listed is None:
        return None
    try:
        return [float(number) for number in listed.split(",")]
    except ValueError:
        raise InvalidParameterError(
            f"--alphas must be numbers separated by commas, such as 0.1,1,10, got {listed!r}."
        ) from None
