"""Numbers from what is no table: texts."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.feature_extraction import text

__all__ = ["text"]

__getattr__, __dir__ = lazy_names(__name__, {"text": None})
