"""The command that asks for the same study."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from stylobate.study.study import Study

_DEFAULTS: dict[str, Any] = {"time": 60, "holdout": 0.2, "cv": 5, "memory": 256, "split": "auto"}
_OPTIONS = {
    "task": "--task",
    "metric": "--metric",
    "time": "--time",
    "holdout": "--holdout",
    "cv": "--cv",
    "memory": "--memory",
    "group": "--group",
    "time_column": "--time-column",
    "split": "--split",
    "horizon": "--horizon",
    "positive": "--positive",
}


def command_of(study: Study, source: str) -> str:
    """What to type for the same study.

    >>> from stylobate import Study
    >>> command_of(Study("titanic", "survived", time=30), "titanic")
    'stylobate study titanic --target survived --time 30 --seed 0'
    """
    parts = ["stylobate", "study", quote(source), "--target", quote(study.target)]
    for name, option in _OPTIONS.items():
        value = getattr(study, name)
        if value is not None and value != _DEFAULTS.get(name):
            parts += [option, quote(f"{value:g}" if isinstance(value, float) else str(value))]
    if study.models is not None and not hasattr(study.models, "items"):
        models = [study.models] if isinstance(study.models, str) else study.models
        parts += ["--models", quote(",".join(map(str, models)))]
    if study.kinds:
        told = ",".join(f"{name}={kind}" for name, kind in study.kinds.items())
        parts += ["--kinds", quote(told)]
    if study.cost is not None:
        parts += ["--cost", ":".join(f"{float(each):g}" for each in study.cost)]
    for name in ("drop", "keep"):
        if getattr(study, name):
            parts += [f"--{name}", quote(",".join(getattr(study, name)))]
    return " ".join([*parts, "--seed", str(study.random_state)])
