"""The words in which a source that cannot be read is refused."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from stylobate.exceptions import InvalidDataError


class SourceNotFoundError(InvalidDataError, FileNotFoundError):
    """There is no file of that name; the text says which names are near."""


def refuse(name: str, what: str) -> NoReturn:
    """Raise one sentence about a source, which is named first."""
    raise InvalidDataError(f"read: {name}: {what}")


def refuse_absent(path: Path) -> NoReturn:
    """Say that a file is not there, and which files of its folder are named alike."""
    folder = path.parent
    if not folder.is_dir():
        raise SourceNotFoundError(f"read: {path}: there is no folder {str(folder)!r}.")
    names = sorted(entry.name for entry in folder.iterdir())
    near = get_close_matches(path.name, names, n=3, cutoff=0.5)
    hint = f" Near: {', '.join(near)}." if near else ""
    raise SourceNotFoundError(f"read: {path}: there is no such file.{hint}")
