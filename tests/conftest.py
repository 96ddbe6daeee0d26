"""Hypothesis for all tests: new examples on every desk, the same ones in CI."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "stylobate",
    deadline=None,  # a busy machine is not a failure
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
    derandomize=bool(os.environ.get("CI")),
)
settings.load_profile("stylobate")
