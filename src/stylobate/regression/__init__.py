"""Regression as statisticians say it: a formula, a family, and questions to the fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from stylobate.regression.formula_model import FormulaModel
    from stylobate.regression.from_formula import model

__all__ = ["FormulaModel", "model"]

_HOMES = {"FormulaModel": "formula_model", "model": "from_formula"}
__getattr__, __dir__ = lazy_names(__name__, _HOMES)
