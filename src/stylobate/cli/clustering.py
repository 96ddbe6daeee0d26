"""`stylobate cluster`: groups of rows that are alike, counted, described, written out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stylobate.cli.exploring import as_options, kinds_of
from stylobate.cli.predicting import kept_columns
from stylobate.cli.result_folder import print_json
from stylobate.cli.source import open_source
from stylobate.cli.studying import default_folder, listed
from stylobate.exceptions import InvalidParameterError, StylobateError

if TYPE_CHECKING:
    from stylobate.data.reading import Relation
    from stylobate.exploration import ClusterReport

_OPTIONS = {  # parameters of `describe_clusters` in the words of the command
    "describe_clusters: ": "",
    "n_clusters": "--k",
    "columns names": "--columns names",
    "drop names": "--drop names",
    "method must": "--method must",
    "sample must": "--sample must",
    "random_state must": "--seed must",
}


def cluster_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A shipped data set (see `stylobate datasets`), a file (CSV, Parquet, JSON, "
            "Excel, SQLite, DuckDB), an http(s) address, or a SELECT in quotes."
        ),
    ],
    k: Annotated[
        str, typer.Option("--k", help="How many clusters: a number, or auto to find out.")
    ] = "auto",
    method: Annotated[
        str,
        typer.Option(
            help="auto, kmeans, kmedoids, gmm, hdbscan or ward; auto: kmedoids with Gower's "
            "dissimilarity where there are categories, else kmeans."
        ),
    ] = "auto",
    columns: Annotated[
        str | None,
        typer.Option(help="Columns to compare rows by, as a,b,c; all that can if left out."),
    ] = None,
    drop: Annotated[str | None, typer.Option(help="Columns to leave out, as a,b,c.")] = None,
    kinds: Annotated[
        str | None, typer.Option(help="What columns are, as age=numeric,zip=nominal.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write; SOURCE-clusters if left out.")
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Columns of the source to write beside the labels, as a,b,c, or * for all."
        ),
    ] = None,
    parquet: Annotated[
        bool, typer.Option("--parquet", help="Write labels.parquet instead of labels.csv.")
    ] = False,
    sample: Annotated[
        int, typer.Option(help="Rows that clusters are learnt from, at most; all get a label.")
    ] = 50_000,
    seed: Annotated[int, typer.Option(help="Of all draws.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all if left out.")] = None,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Group rows that are alike: how many groups, how sure, what sets each apart.

    Writes a report, the label of every row, and a model file from which `stylobate predict` gives
    new rows their cluster. For example: stylobate cluster penguins; stylobate cluster sales.csv
    --k 4 --drop region. Exit status: 0 done, 2 the input was refused, 130 stopped by Ctrl-C.
    """
    from stylobate.cli.app import refusing_in_words
    from stylobate.cli.cluster_folder import ClusterFolder

    folder = ClusterFolder(out or Path(default_folder(source, "clusters")))
    with folder.released(), refusing_in_words():
        relation = open_source(source, table, query)
        kept = kept_columns(keep, relation, ("row", "cluster", "certainty"))
        folder.claim()
        options = {
            "method": method, "columns": listed(columns), "drop": listed(drop) or (),
            "schema": kinds_of(kinds), "sample": sample, "random_state": seed,
        }  # fmt: skip
        report = _described(relation, _count(k), threads, quiet, options)
        files = folder.write(report, relation, kept, parquet)
    _tell(report, files, quiet, json)


def _described(
    relation: Relation, k: int | str, threads: int | None, quiet: bool, options: dict[str, Any]
) -> ClusterReport:
    """The report, and what happens meanwhile on standard error."""
    from stylobate.cli.step_view import StepView
    from stylobate.exploration import describe_clusters
    from stylobate.parallel import threads as using_threads

    with StepView(quiet) as view, using_threads(threads):
        try:
            return describe_clusters(relation, k, progress=view, **options)
        except StylobateError as error:
            raise type(error)(as_cluster_options(str(error))) from error


def _tell(report: ClusterReport, files: dict[str, Path], quiet: bool, json: bool) -> None:
    if json:
        print_json(report.to_dict(), files)
    elif not quiet:
        model = files["model"]
        typer.echo(f"{report}\n")
        typer.echo(f"Report: {files['report']}")
        typer.echo(f"Labels: {files['labels']} (certainty: {report.certainty_measure})")
        typer.echo(f"Model:  {model} (new rows: stylobate predict {model} SOURCE)")
        typer.echo(f"Data:   {files['data']}")


def as_cluster_options(text: str) -> str:
    """A sentence in options of the command instead of parameters.

    >>> as_cluster_options("describe_clusters: n_clusters must be 'auto' or a whole number.")
    "--k must be 'auto' or a whole number."
    """
    return as_options(text, _OPTIONS)


def _count(text: str) -> int | str:
    if text == "auto":
        return text
    if not re.fullmatch(r"\s*\d{1,6}\s*", text):
        raise InvalidParameterError(f"--k must be auto or a whole number from 1 on, got {text!r}.")
    return int(text)
