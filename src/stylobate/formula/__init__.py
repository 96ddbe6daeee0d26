"""Models as formulas: values from which SQL, ONNX graphs and readable text are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stylobate.lazy import lazy_names

if TYPE_CHECKING:
    from .export import to_onnx, to_sql
    from .linear_text import formula_text

__all__ = ["formula_text", "to_onnx", "to_sql"]

__getattr__, __dir__ = lazy_names(
    __name__, {"formula_text": "linear_text", "to_onnx": "export", "to_sql": "export"}
)
