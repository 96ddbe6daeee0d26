"""The `stylobate` command: a thin shell over the library."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command with these arguments, or those of the process; ends in `SystemExit`."""
    try:
        # Typer and rich are loaded here, so that importing the package does not pay for them.
        from stylobate.cli.app import app

        app(None if arguments is None else list(arguments))
    except KeyboardInterrupt:
        raise SystemExit(130) from None
