"""The folder a command writes: each file appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import typer

from stylobate.cli.exit_status import INTERRUPTED
from stylobate.exceptions import InvalidParameterError


class ResultFolder:
    """Where results are written.

    Parameters
    ----------
    path : Path
        The folder; made with its parents when `claim` is called.
    """

    contents: ClassVar[str] = "The results"  # the subject of sentences that refuse

    def __init__(self, path: Path) -> None:
        self.path = path
        self._made: list[Path] = []

    def claim(self) -> None:
        """Make the folder and see that files can be written there; refuses in a sentence."""
        if self.path.exists() and not self.path.is_dir():
            raise InvalidParameterError(f"--out {str(self.path)!r} is a file; give a folder.")
        self._made = [each for each in (self.path, *self.path.parents) if not each.exists()]
        probe = self.path / f".probe-{os.getpid()}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"x")
            probe.unlink()
        except OSError as error:
            raise InvalidParameterError(
                f"{self.contents} cannot be written to {str(self.path)!r}: "
                f"{(error.strerror or str(error)).lower()}; choose another folder (--out)."
            ) from None

    def release(self) -> None:
        """Remove the folders made here, as far as they are empty."""
        for each in self._made:
            with suppress(OSError):
                each.rmdir()

    @contextmanager
    def released(self) -> Iterator[None]:
        """Release the folder in the end; Ctrl-C meanwhile ends the command in a sentence."""
        try:
            yield
        except KeyboardInterrupt:
            typer.echo(f"Stopped by Ctrl-C before all was written to {str(self.path)!r}.", err=True)
            raise typer.Exit(INTERRUPTED) from None
        finally:
            self.release()

    def write_text(self, path: Path, text: str) -> None:
        """Write one file."""
        from stylobate.storage.placing import replacing

        place: AbstractContextManager[Any] = replacing(path, self.contents)
        with place as stream:
            stream.write(text.encode("utf-8", "surrogatepass"))


def print_json(told: dict[str, Any], files: dict[str, Path]) -> None:
    """What a command found and the files it wrote, on standard output."""
    from json import dumps

    told = told | {"files": {name: str(path) for name, path in files.items()}}
    typer.echo(dumps(told, indent=2, allow_nan=False, ensure_ascii=False))
