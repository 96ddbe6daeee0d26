"""The words in which a source that cannot be read is refused."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit, urlunsplit

from stylobate.exceptions import InvalidDataError


class SourceNotFoundError(InvalidDataError, FileNotFoundError):
    """There is no file of that name; the text says which names are near."""


def refuse(name: str, what: str) -> NoReturn:
    """Raise one sentence about a source, which is named first."""
    raise InvalidDataError(f"read: {name}: {what}")


def refuse_absent(path: Path, known: Iterable[str] = ()) -> NoReturn:
    """Say that a file is not there, and which files of its folder or known names are alike."""
    folder = path.parent
    if not folder.is_dir():
        raise SourceNotFoundError(f"read: {path}: there is no folder {str(folder)!r}.")
    bare = str(path) == path.name
    names = sorted(entry.name for entry in folder.iterdir())
    near = get_close_matches(path.name, [*names, *(known if bare else ())], n=3, cutoff=0.6)
    near = near or [name for name in names if path.stem and name.startswith(path.stem)][:3]
    hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
    what = "no such file"
    if bare and known:
        what += f" and no shipped data set of that name; the shipped ones are {', '.join(known)}"
    raise SourceNotFoundError(f"read: {path}: there is {what}.{hint}")


def without_password(address: str) -> str:
    """An address as it may be shown.

    >>> without_password("postgresql://me:secret@host/db?password=secret")
    'postgresql://me@host/db'
    """
    parts = urlsplit(address)
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user.partition(':')[0]}{at}{host}", parts.path, "", ""))
