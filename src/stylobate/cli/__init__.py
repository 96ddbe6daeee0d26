"""The `stylobate` command: a thin shell over the library."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from errno import EPIPE
from typing import NoReturn

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or those of the process; ends in `SystemExit`."""
    try:
        # Typer and rich are loaded here, so that importing the package does not pay for them.
        from stylobate.cli.app import app

        try:
            app(None if arguments is None else list(arguments))
        finally:
            sys.stdout.flush()  # now, while what goes wrong can still be said
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    except OSError as error:
        _refuse_output(error)


def _refuse_output(error: OSError) -> NoReturn:
    """End where standard output takes no more: a full disk behind it, not a mistake of ours.

    Commands answer for the files they read and write themselves.
    """
    if error.filename is not None:
        raise error
    with suppress(OSError):  # what is left in the buffer is lost, and must not be tried again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if error.errno == EPIPE:  # who reads has enough
        raise SystemExit(1) from None
    reason = os.strerror(error.errno) if error.errno else str(error)
    with suppress(OSError):
        sys.stderr.write(f"Error: standard output cannot be written to: {reason}.\n")
    raise SystemExit(2) from None
