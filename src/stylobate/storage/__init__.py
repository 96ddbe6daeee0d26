"""Model files: `save` and `load`, one file of plain values that is safe to open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from .files import describe, load, save

__all__ = ["describe", "load", "save"]

__getattr__, __dir__ = lazy_names(__name__, dict.fromkeys(__all__, "files"))
