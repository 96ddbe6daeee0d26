"""Engines: who computes a statistic of which source, found in one registry."""

from stylobate.engines.registry import compute, engine_for, register

__all__ = ["compute", "engine_for", "register"]
