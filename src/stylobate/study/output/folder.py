"""A study's folder: files appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from stylobate.exceptions import InvalidParameterError
from stylobate.study.search.store import cannot_write

PROGRESS, LOCK = "progress", ".lock"
Writer = Callable[[Path], None]


class StudyFolder:
    """Where a study is written.

    Parameters
    ----------
    path : Path
        The folder; made with its parents when `claim` is called.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._made: list[Path] = []
        self._locked: int | None = None

    def progress(self, name: str) -> Path:
        """The path of a file of progress."""
        return self.path / PROGRESS / name

    def claim(self) -> None:
        """Make the folder and see that files can be written there; refuses in a sentence."""
        missing = [self.path / PROGRESS, self.path, *self.path.parents]
        self._made = [each for each in missing if not each.exists()]
        probe = self.path / PROGRESS / f".probe-{os.getpid()}"
        try:
            probe.parent.mkdir(parents=True, exist_ok=True)
            probe.write_bytes(b"x")
            probe.unlink()
        except OSError as error:
            with suppress(OSError):  # on a full disk it is there, and empty
                probe.unlink(missing_ok=True)
            self.release()
            raise InvalidParameterError(cannot_write(self.path / "study.json", error)) from None
        self._lock()

    def _lock(self) -> None:
        """Refuse a folder in which another study runs; the system lets go of a killed one's."""
        try:
            import fcntl
        except ImportError:  # Windows
            return
        file = os.open(self.path / PROGRESS / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(file)
            raise InvalidParameterError(
                f"Another study is running in {str(self.path)!r}; wait until it is done, or choose "
                "another folder (--out)."
            ) from None
        except OSError:  # a file system without locks
            os.close(file)
            return
        self._locked = file

    def release(self) -> None:
        """Unlock, and remove the folders this study made, as far as they are empty."""
        if self._locked is not None:
            with suppress(OSError):
                (self.path / PROGRESS / LOCK).unlink()
            os.close(self._locked)
            self._locked = None
        for each in self._made:
            with suppress(OSError):
                each.rmdir()

    def write(self, files: Mapping[str, Writer]) -> None:
        """Write all files under other names, then put all in place; or none.

        Parameters
        ----------
        files : mapping of str to callable
            For each name (with a folder at most) what writes it to a path.
        """
        self._sweep()
        parts: dict[Path, Path] = {}
        try:
            for name, writer in files.items():
                target = self.path / name
                target.parent.mkdir(parents=True, exist_ok=True)
                part = target.with_name(f".{os.getpid()}.{target.name}")  # keeps the suffix
                parts[part] = target
                writer(part)
                _synchronise(part)
            for part, target in parts.items():
                os.replace(part, target)
        except OSError as error:
            raise InvalidParameterError(cannot_write(self.path / "study.json", error)) from None
        finally:
            for part in parts:
                with suppress(OSError):
                    part.unlink(missing_ok=True)
            with suppress(OSError):
                (self.path / "pictures").rmdir()  # if nothing came of it

    def _sweep(self) -> None:
        """Remove what a process that was killed while it wrote has left behind."""
        for part in (*self.path.glob(".*.*.*"), *self.path.glob("pictures/.*.*.*")):
            number = part.name.split(".")[1]
            if number.isdigit() and not _alive(int(number)):
                with suppress(OSError):
                    part.unlink()


def _alive(process: int) -> bool:
    if os.name != "posix":  # elsewhere asking for a process ends it
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _synchronise(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def text_writer(text: str) -> Writer:
    """What writes a text."""

    def write(path: Path) -> None:
        path.write_text(text, encoding="utf-8")

    return write
