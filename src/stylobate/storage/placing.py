"""Files that appear under their name only when they are complete."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from stylobate.exceptions import ModelFileError


@contextmanager
def replacing(path: Path, what: str = "The model") -> Iterator[BinaryIO]:
    """A stream to a temporary neighbour that takes the path's place once all is on disk."""
    path = Path(os.path.realpath(path))
    if path.is_dir():
        raise ModelFileError(f"{str(path)!r} is a folder; give the name of a file in it.")
    if path.exists() and not path.is_file():
        raise ModelFileError(f"{str(path)!r} is not a file that could be replaced.")
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(6)}.part")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            with os.fdopen(handle, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            os.replace(beside, path)
        except BaseException:
            beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ModelFileError(
            f"{what} cannot be written to {str(path)!r}: {error.strerror or error}. Nothing "
            "was left behind; choose another place or make room there."
        ) from error
    _settle(path.parent)


def _settle(folder: Path) -> None:
    """Make the new name in a folder outlive a crash, where the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
