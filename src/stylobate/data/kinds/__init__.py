"""Kinds of columns, found from their values: what each column is, and why."""

from stylobate.data.kinds.inference import infer_schema
from stylobate.data.kinds.schema import KINDS, Column, Kind, Schema

__all__ = ["KINDS", "Column", "Kind", "Schema", "infer_schema"]
