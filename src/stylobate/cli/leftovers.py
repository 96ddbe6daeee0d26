"""What a killed process left beside its output: swept away once nobody holds it."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from stylobate.exceptions import InvalidParameterError


def sweep(path: Path) -> None:
    """Remove unfinished neighbours of an output, as `replacing` names them, that nobody writes.

    A writer holds a lock (`hold`), which ends with its process however that ends.
    """
    try:
        import fcntl
    except ImportError:  # without locks nobody knows whether somebody writes
        return
    path = Path(os.path.realpath(path))
    ours = re.compile(rf"\.{re.escape(path.name[:100])}\.[0-9a-f]{{12}}\.part")
    with suppress(OSError):
        for part in [each for each in path.parent.iterdir() if ours.fullmatch(each.name)]:
            with suppress(OSError):  # held, or not ours to remove
                handle = os.open(part, os.O_RDWR | os.O_NOFOLLOW)
                try:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    part.unlink()
                finally:
                    os.close(handle)


def hold(stream: Any, path: Path) -> None:
    """Keep an unfinished neighbour from being swept away while it is written."""
    try:
        import fcntl

        fcntl.flock(stream, fcntl.LOCK_EX)  # after whoever sweeps at this very moment
    except (ImportError, OSError):  # no locks here
        return
    if os.fstat(stream.fileno()).st_nlink == 0:
        raise InvalidParameterError(
            f"Another process began to write {str(path)!r} at the same moment; run the command "
            "again."
        )
