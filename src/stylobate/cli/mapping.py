"""`stylobate map`: the rows of a table as points on an interactive page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stylobate.cli.exploring import as_options, kinds_of
from stylobate.cli.result_folder import print_json
from stylobate.cli.source import open_source
from stylobate.cli.studying import default_folder, listed
from stylobate.exceptions import StylobateError

if TYPE_CHECKING:
    from stylobate.data.reading import Relation
    from stylobate.exploration import RowMap

_OPTIONS = {  # parameters of `map_rows` in the words of the command
    "map_rows: ": "",
    "target names": "--target names",
    "color names": "--color names",
    "columns names": "--columns names",
    "drop names": "--drop names",
    "method must": "--method must",
    "sample must": "--sample must",
    "n_neighbors must": "--neighbors must",
    "perplexity must": "--perplexity must",
    "random_state must": "--seed must",
}


def map_command(
    source: Annotated[
        str,
        typer.Argument(
            help="A shipped data set (see `stylobate datasets`), a file (CSV, Parquet, JSON, "
            "Excel, SQLite, DuckDB), an http(s) address, or a SELECT in quotes."
        ),
    ],
    target: Annotated[
        str | None,
        typer.Option(help="A column that takes no part: are rows near each other alike in it?"),
    ] = None,
    color: Annotated[
        str | None, typer.Option(help="The column that colours the maps at first.")
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            help="Of the second map: auto, pca, tsne or umap; auto: tsne for up to 20,000 rows, "
            "else umap."
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
    neighbors: Annotated[
        int, typer.Option(help="Neighbours that umap keeps and that trust is measured by.")
    ] = 15,
    perplexity: Annotated[float, typer.Option(help="About how many neighbours tsne keeps.")] = 30.0,
    no_scale: Annotated[
        bool, typer.Option("--no-scale", help="Columns keep their units, as pixels should.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="The folder to write; SOURCE-map if left out.")
    ] = None,
    sample: Annotated[int, typer.Option(help="Rows on the maps, at most.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Of all draws.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads to use; all if left out.")] = None,
    table: Annotated[str | None, typer.Option(help="The table of a database.")] = None,
    query: Annotated[str | None, typer.Option(help="A SELECT against a database.")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Draw rows as points, those alike near each other, and say how far to trust the picture.

    Writes map.html, a page to zoom, select and colour in that needs no network, and
    coordinates.csv. For example: stylobate map penguins --target species; stylobate map sales.csv
    --color region. Exit status: 0 done, 2 the input was refused, 130 stopped by Ctrl-C.
    """
    from stylobate.cli.app import refusing_in_words
    from stylobate.cli.map_folder import MapFolder

    folder = MapFolder(out or Path(default_folder(source, "map")))
    with folder.released(), refusing_in_words():
        relation = open_source(source, table, query)
        folder.claim()
        options = {
            "target": target, "color": color, "method": method, "columns": listed(columns),
            "drop": listed(drop) or (), "schema": kinds_of(kinds), "n_neighbors": neighbors,
            "perplexity": perplexity, "scale": not no_scale, "sample": sample,
            "random_state": seed,
        }  # fmt: skip
        found = _drawn(relation, threads, quiet, options)
        files = folder.write(found)
    _tell(found, files, quiet, json)


def _drawn(relation: Relation, threads: int | None, quiet: bool, options: dict[str, Any]) -> RowMap:
    """The maps, and what happens meanwhile on standard error."""
    from stylobate.cli.step_view import StepView
    from stylobate.exploration import map_rows
    from stylobate.parallel import threads as using_threads

    with StepView(quiet) as view, using_threads(threads):
        try:
            return map_rows(relation, progress=view, **options)
        except StylobateError as error:
            raise type(error)(as_map_options(str(error))) from error


def as_map_options(text: str) -> str:
    """A sentence in options of the command instead of parameters.

    >>> as_map_options("map_rows: sample must be a whole number from 5 on, got 1.")
    '--sample must be a whole number from 5 on, got 1.'
    """
    return as_options(text, _OPTIONS)


def _tell(found: RowMap, files: dict[str, Path], quiet: bool, json: bool) -> None:
    if json:
        print_json(found.to_dict(), files)
    elif not quiet:
        typer.echo(f"{found.summary()}\n")
        typer.echo(f"Page:        {files['page']}")
        typer.echo(f"Coordinates: {files['coordinates']}")
