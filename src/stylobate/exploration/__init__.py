"""Exploring tables: a profile of columns, gaps, repetitions and associations."""

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.exploration.exploring import explore
    from stylobate.exploration.profile import Profile
    from stylobate.exploration.variables import Variable

__all__ = ["Profile", "Variable", "explore"]

__getattr__, __dir__ = lazy_names(
    __name__, {"Profile": "profile", "Variable": "variables", "explore": "exploring"}
)
