"""Families of models, found by the roles of the public estimators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from typing import Any

import numpy as np

from stylobate.base import ClassifierMixin, RegressorMixin, is_classifier, is_regressor
from stylobate.base.parameters import defaults_of
from stylobate.base.study_role import Encoding, StudyRole, role_of
from stylobate.exceptions import InvalidParameterError
from stylobate.study.question.metrics import COST, OF_PROBABILITIES
from stylobate.study.question.question import Asked
from stylobate.study.question.tasks import is_count

BASELINE, ENSEMBLE = "baseline", "ensemble"
_CALIBRATION_FOLDS = 3  # enough for the two numbers of a sigmoid


@dataclass(frozen=True, eq=False)
class Setting:
    """A family with values of its parameters: `key` names it, `place` is its number."""

    key: str
    family: str
    params: dict[str, Any]
    place: int


@dataclass(frozen=True, eq=False)
class Family:
    """A class of estimators with the settings to try, the first one first."""

    role: StudyRole
    kind: type
    settings: tuple[Setting, ...]
    template: Any = None  # an estimator given by the caller, whose parameters are kept
    fixed: dict[str, Any] = field(default_factory=dict)
    texts: bool = False  # whether the table has columns of text

    @property
    def name(self) -> str:
        """Its short name."""
        return self.role.family

    @property
    def encoding(self) -> Encoding:
        """What its models are given."""
        by_words = self.texts and self.role.sparse and self.role.encoding == "scaled"
        return "words" if by_words else self.role.encoding

    def model(self, setting: Setting, **more: Any) -> Any:
        """An unfitted model; further arguments are passed where it has such parameters."""
        from stylobate.base import clone

        known = defaults_of(self.kind)
        extra = {name: value for name, value in more.items() if name in known}
        if self.template is not None:
            return clone(self.template)
        model = self.kind(**{**self.fixed, **extra, **setting.params})
        return _calibrated(model) if self.role.calibrated else model


def _calibrated(model: Any) -> Any:
    """The model with probabilities from its scores of rows left out."""
    from stylobate.calibration import CalibratedClassifierCV

    return CalibratedClassifierCV(model, cv=_CALIBRATION_FOLDS, ensemble=False)


@dataclass(frozen=True, slots=True)
class OmittedFamily:
    """A family that takes no part, and why."""

    role: StudyRole
    kind: type
    reason: str


@cache
def _known() -> tuple[tuple[type, StudyRole], ...]:
    from stylobate.base.discovery import estimators_declaring

    pairs = ((kind, role_of(kind)) for kind in estimators_declaring("_study_role"))
    return tuple((kind, role) for kind, role in pairs if role is not None)


def find_families(
    asked: Asked, models: Any, n_rows: int, n_columns: int, seed: int, *, texts: bool = False
) -> tuple[list[Family], list[OmittedFamily]]:
    """The families that suit the question, the baseline first, then by simplicity.

    Parameters
    ----------
    asked : Asked
    models : sequence of str, mapping of str to estimator, or None
        Names of families to try; or estimators of one's own; None for all.
    n_rows, n_columns : int
        Of the training part, encoded.
    seed : int
        For models that draw at random.
    texts : bool, default=False
        Whether columns hold text.
    """
    mixin: type = RegressorMixin if asked.question.task == "regression" else ClassifierMixin
    suited = [(kind, role) for kind, role in _known() if issubclass(kind, mixin)]
    if isinstance(models, Mapping):
        return _given(models, suited, asked, seed), []
    wanted = _wanted(models, suited)
    found, left_out = [], []
    for kind, role in sorted(suited, key=lambda each: (each[1].simplicity, each[1].family)):
        if role.family != BASELINE and wanted is not None and role.family not in wanted:
            continue
        reason = _unsuited(kind, role, asked, n_rows, n_columns)
        if reason is None:
            found.append(replace(_family(kind, role, asked, seed), texts=texts))
        else:
            left_out.append(OmittedFamily(role, kind, reason))
    return found, left_out


def _wanted(models: Any, suited: Sequence[tuple[type, StudyRole]]) -> set[str] | None:
    if models is None:
        return None
    names = sorted({role.family for _, role in suited} - {BASELINE})
    given = [models] if isinstance(models, str) else list(models)
    asked = [part.strip() for each in given for part in str(each).split(",") if part.strip()]
    for name in asked:
        if name not in names and name != BASELINE:
            close = get_close_matches(name, names, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            raise InvalidParameterError(
                f"models: there is no family {name!r} for this target; there are "
                f"{', '.join(names)}.{hint}"
            )
    if not asked:
        raise InvalidParameterError(f"models names no family; there are {', '.join(names)}.")
    return set(asked)


def _unsuited(kind: type, role: StudyRole, asked: Asked, n_rows: int, n_columns: int) -> str | None:
    """Why a family cannot take part; None if it can."""
    if role.max_rows is not None and n_rows > role.max_rows:
        return f"{n_rows} rows are more than the {role.max_rows} it is used for"
    if n_rows < role.min_rows:
        return f"{n_rows} rows are fewer than the {role.min_rows} from which on it is tried"
    if role.max_columns is not None and n_columns > role.max_columns:
        return f"{n_columns} columns are more than the {role.max_columns} it is used for"
    if role.target == "positive" and asked.y.min() <= 0:
        return "the target is not positive everywhere"
    if role.target == "count" and not _counts(asked.y):
        return "the target is no count"
    needs = asked.question.metric.name in OF_PROBABILITIES or asked.question.metric.name == COST
    if needs and not (hasattr(kind, "predict_proba") or role.calibrated):
        return f"it gives no probabilities, which {asked.question.metric.label} needs"
    return None


def _counts(y: Any) -> bool:
    return bool(y.min() >= 0 and np.all(y == np.rint(y)))


def _family(kind: type, role: StudyRole, asked: Asked, seed: int) -> Family:
    scale = float(np.std(asked.y)) if role.target_units else 1.0
    tried = role.settings(scale)
    if role.for_counts and asked.question.task == "regression" and is_count(asked.y):
        tried = [*tried[:1], {**tried[0], **role.for_counts}, *tried[1:]]
    settings = [
        Setting(key_of(role.family, params), role.family, params, place)
        for place, params in enumerate(tried)
    ]
    fixed = dict(role.fixed)
    if "random_state" in defaults_of(kind):
        fixed["random_state"] = seed
    return Family(role, kind, tuple(settings), fixed=fixed)


def _given(
    models: Mapping[str, Any], suited: Sequence[tuple[type, StudyRole]], asked: Asked, seed: int
) -> list[Family]:
    """The baseline, and estimators of the caller's own, each with its one setting."""
    if not models:
        raise InvalidParameterError("models is empty; give at least one estimator.")
    found = [_family(k, role, asked, seed) for k, role in suited if role.family == BASELINE]
    for place, (name, model) in enumerate(models.items()):
        if not hasattr(model, "fit") or isinstance(model, type):
            raise InvalidParameterError(
                f"models[{name!r}] must be an estimator, got {type(model).__name__}."
            )
        _check_kind(str(name), model, asked)
        own = role_of(type(model))
        simplicity = 50 + place if own is None else own.simplicity
        encoding: Encoding = "scaled" if own is None else own.encoding
        role = StudyRole(str(name), str(name), simplicity, encoding=encoding)
        setting = Setting(str(name), str(name), {}, 0)
        found.append(Family(role, type(model), (setting,), template=model))
    return found


def _check_kind(name: str, model: Any, asked: Asked) -> None:
    """Refuse a regressor for classes and a classifier for numbers."""
    numbers = asked.question.task == "regression"
    wanted, other = ("regressor", "classifier") if numbers else ("classifier", "regressor")
    if is_classifier(model) if numbers else is_regressor(model):
        holds = "numbers" if numbers else "classes"
        raise InvalidParameterError(
            f"models[{name!r}] is a {other} ({type(model).__name__}), but the target "
            f"{asked.question.target!r} holds {holds}: give a {wanted}."
        )


def key_of(family: str, params: Mapping[str, Any]) -> str:
    """A setting in a few characters.

    >>> key_of("ridge", {"alpha": 0.1})
    'ridge(alpha=0.1)'
    """
    inside = ", ".join(f"{name}={_shown(value)}" for name, value in params.items())
    return f"{family}({inside})" if inside else family


def _shown(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)
