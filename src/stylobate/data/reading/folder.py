"""A folder for copies that goes when the last one who holds it goes."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EDQUOT, EFBIG, ENOSPC
from functools import cache
from pathlib import Path

_PREFIX = "stylobate-"
_LOCK = ".lock"  # locked as long as the process lives, whatever ends it
_YOUNG = 60.0  # seconds in which a folder may be without its lock yet


class Folder:
    """A temporary folder; `path` is removed when the object is collected, or at exit.

    What a process that was killed has left is removed by the next one.
    """

    def __init__(self) -> None:
        """Make the folder."""
        sweep(tempfile.gettempdir())
        self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        lock = os.open(self.path / _LOCK, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(lock, fcntl.LOCK_SH)
        weakref.finalize(self, _remove, str(self.path), lock)


def _remove(path: str, lock: int) -> None:
    shutil.rmtree(path, ignore_errors=True)
    os.close(lock)


@cache
def sweep(folder: str) -> None:
    """Remove the folders of processes that are no more; once in a process."""
    for path in Path(folder).glob(f"{_PREFIX}*/{_LOCK}"):
        try:
            if time.time() - path.stat().st_mtime < _YOUNG:
                continue
            lock = os.open(path, os.O_RDWR)
        except OSError:  # of somebody else, or just gone
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # in use
            pass
        else:
            shutil.rmtree(path.parent, ignore_errors=True)
        finally:
            os.close(lock)


@contextmanager
def room_for_copies(name: str, folder: Path) -> Iterator[None]:
    """Say what to do where a copy of rows finds no room."""
    try:
        yield
    except OSError as error:
        if error.errno not in (ENOSPC, EFBIG, EDQUOT):
            raise
        raise OSError(
            f"read: {name}: the folder for temporary files, {folder.parent}, cannot hold a copy of "
            f"the rows ({os.strerror(error.errno)}); set TMPDIR to one that can."
        ) from error
