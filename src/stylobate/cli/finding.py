"""`stylobate find`: functions and classes by the words of textbooks and lecture notes."""

from __future__ import annotations

from typing import Annotated

import typer


def find_command(
    words: Annotated[
        list[str], typer.Argument(help='Such as: parzen window, "lloyd\'s algorithm".')
    ],
    n: Annotated[int, typer.Option("-n", min=1, help="The largest number of hits.")] = 8,
    json: Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")] = False,
) -> None:
    """Find what a thing is called here, by what others call it."""
    from stylobate.cli.app import refusing_in_words

    with refusing_in_words():
        from stylobate.terms import find

        hits = find(" ".join(words), n=n)
    if json:
        from dataclasses import asdict
        from json import dumps

        typer.echo(dumps([asdict(each) for each in hits], indent=2, ensure_ascii=False))
    else:
        typer.echo(repr(hits))
    if not len(hits):
        raise typer.Exit(1)
