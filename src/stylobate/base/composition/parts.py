"""Named parts: parameters that reach into them, replacement of parts, checks of their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from stylobate.base.composition.routed_arguments import Arguments, routed, same_for_fits
from stylobate.base.estimator import BaseEstimator
from stylobate.base.parameters import brief
from stylobate.base.routing import routing_enabled
from stylobate.exceptions import InvalidParameterError


class ComposedOfParts(BaseEstimator):
    """An estimator with a parameter that lists (name, estimator, …).

    Subclasses say which parameter that is, what one entry is called, and its form.
    """

    _parts_parameter: ClassVar[str]
    _part: ClassVar[str] = "step"
    _form: ClassVar[str] = "(name, estimator)"
    _answers_may_be_missing = True  # each part guards its own; a step may be a function

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Parameters by name.

        Parameters
        ----------
        deep : bool, default=True
            Whether to add the parts by their names, and their parameters as ``name__parameter``.

        Returns
        -------
        dict
            Names and values.
        """
        params = super().get_params(deep=deep)
        if not deep:
            return params
        for name, part in self._named_parts():
            params[name] = part
            if hasattr(part, "get_params") and not isinstance(part, type):
                nested = part.get_params(deep=True)
                params.update((f"{name}__{inner}", value) for inner, value in nested.items())
        return params

    def set_params(self, **params: Any) -> Self:
        """Change parameters, replace a whole part by its name, or reach into one.

        Parameters
        ----------
        **params : object
            ``parameter=value``, ``name=estimator`` or ``name__parameter=value``. The list comes
            first, then whole parts, then what is inside them.

        Returns
        -------
        self

        Raises
        ------
        InvalidParameterError
            If there is no parameter or part of that name.
        """
        if self._parts_parameter in params:
            setattr(self, self._parts_parameter, params.pop(self._parts_parameter))
        own = self._get_param_names()
        names = {name for name, _ in self._named_parts() if name not in own}
        inside: dict[str, dict[str, Any]] = {}
        for key in list(params):
            name, reaches_in, inner = key.partition("__")
            if name not in names:
                continue
            value = params.pop(key)
            if reaches_in:
                inside.setdefault(name, {})[inner] = value
            else:
                self._replace_part(name, value)
        super().set_params(**params)
        for name, values in inside.items():
            self._settable_part(name).set_params(**values)
        return self

    def _named_parts(self) -> list[tuple[str, Any]]:
        """Names and estimators, as far as the list is one."""
        entries = getattr(self, self._parts_parameter)
        if not isinstance(entries, list | tuple):
            return []
        return [
            (entry[0], entry[1])
            for entry in entries
            if isinstance(entry, tuple | list) and len(entry) > 1 and isinstance(entry[0], str)
        ]

    def _replace_part(self, name: str, value: Any) -> None:
        entries = getattr(self, self._parts_parameter)
        changed = [(e[0], value, *e[2:]) if e[0] == name else e for e in entries]
        setattr(self, self._parts_parameter, changed)

    def _settable_part(self, name: str) -> Any:
        part = dict(self._named_parts())[name]
        if not hasattr(part, "set_params"):
            raise InvalidParameterError(
                f"{type(self).__name__}: {self._part} {name!r} is {brief(part)}, which has no "
                f"parameters of its own to set with {name}__…"
            )
        return part

    def _check_parts(self) -> None:
        """Refuse a list whose entries are not of the right form, or names that cannot be used."""
        owner, parameter = type(self).__name__, self._parts_parameter
        width = self._form.count(",") + 1
        for position, entry in enumerate(getattr(self, parameter)):
            if not isinstance(entry, tuple | list) or len(entry) != width:
                raise InvalidParameterError(
                    f"{owner}: {parameter} must be a list of tuples {self._form}, but entry "
                    f"{position} is {brief(entry)}."
                )
            if not isinstance(entry[0], str):
                raise InvalidParameterError(
                    f"{owner}: the names in {parameter} must be strings, but that of entry "
                    f"{position} is {brief(entry[0])}."
                )
        check_names([name for name, _ in self._named_parts()], self)

    def _part_params(self, params: dict[str, Any], method: str) -> dict[str, Arguments]:
        """Arguments by the part they are meant for: by request, or as ``name__parameter``."""
        if routing_enabled():
            return routed(self, method, params)
        return same_for_fits(self._named_arguments(params, method))

    def _named_arguments(self, params: dict[str, Any], method: str) -> dict[str, dict[str, Any]]:
        owner = type(self).__name__
        names = [name for name, _ in self._named_parts()]
        given: dict[str, dict[str, Any]] = {name: {} for name in names}
        for key, value in params.items():
            name, reaches_in, inner = key.partition("__")
            if not reaches_in:
                raise InvalidParameterError(
                    f"{owner}.{method} does not accept the {key} parameter. You can pass "
                    f"parameters to a specific {self._part} in the format name__parameter, e.g. "
                    f"`{owner}.{method}(X, y, {names[-1] if names else 'name'}__{key}={key})`."
                )
            if name not in given:
                raise InvalidParameterError(
                    f"{owner}.{method}: {key} is meant for a {self._part} {name!r}, but there are "
                    f"only {', '.join(map(repr, names))}."
                )
            given[name][inner] = value
        return given


def check_names(names: Sequence[str], owner: BaseEstimator) -> None:
    """Refuse names that repeat, hide a parameter of the owner, or hold two underscores."""
    kind = type(owner).__name__
    if len(set(names)) != len(names):
        raise InvalidParameterError(f"{kind}: Names provided are not unique: {list(names)}")
    conflicts = sorted(set(names) & set(owner._get_param_names()))
    if conflicts:
        raise InvalidParameterError(
            f"{kind}: Estimator names conflict with constructor arguments: {conflicts}"
        )
    reaching = [name for name in names if "__" in name]
    if reaching:
        raise InvalidParameterError(
            f"{kind}: Estimator names must not contain __: got {reaching}; it separates a name "
            "from a parameter."
        )


def refuse_class(part: Any, role: str) -> None:
    """A class where an estimator is needed is the commonest slip: say so."""
    if isinstance(part, type):
        name = part.__name__
        raise InvalidParameterError(
            f"{role}: Expected an estimator instance ({name}()), got estimator class instead "
            f"({name})."
        )


def can_transform(part: Any) -> bool:
    """Whether an object is a transformer."""
    return hasattr(part, "transform") and (hasattr(part, "fit") or hasattr(part, "fit_transform"))
