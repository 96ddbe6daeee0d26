"""HTML representation for notebooks: self-contained, escaped, readable on light and dark pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

from stylobate.base.parameters import brief, defaults_of
from stylobate.base.text import changed_parameters, text_of

_NOT_FITTED = '<span class="state">not fitted</span>'

# The page's own text colour is kept and everything else mixed from it, so one sheet serves both
# light and dark pages; the accent alone needs two shades.
_STYLE = """
.stylobate{--accent:#0b62a8;font:13px/1.45 system-ui,sans-serif;color:inherit;max-width:60em}
@media (prefers-color-scheme:dark){.stylobate{--accent:#7cc0f5}}
[data-jp-theme-light=false] .stylobate,.vscode-dark .stylobate{--accent:#7cc0f5}
[data-jp-theme-light=true] .stylobate,.vscode-light .stylobate{--accent:#0b62a8}
.stylobate details{border:1px solid color-mix(in srgb,currentColor 25%,transparent);
border-radius:6px;padding:.3em .7em;margin:.25em 0}
.stylobate summary{cursor:pointer;font-weight:600}
.stylobate .state{font-weight:400;opacity:.7;margin-left:.6em}
.stylobate .state.fitted{color:var(--accent);opacity:1}
.stylobate table{border-collapse:collapse;margin:.3em 0}
.stylobate td{text-align:left;padding:.1em .9em .1em 0;font-family:ui-monospace,monospace;
vertical-align:top;opacity:.75}
.stylobate tr.changed td{color:var(--accent);font-weight:600;opacity:1}
.stylobate p{margin:.3em 0}
"""


def html_of(estimator: Any) -> str:
    """A block of HTML for `estimator`; viewers without HTML styles see its text.

    Shows the parameters (those changed from their defaults stand out), estimators among them
    folded inside, whether it is fitted and, once it is, the solver and the certificate's verdict.
    """
    body = "".join(_block(estimator, label="", opened=True))
    plain = escape(text_of(estimator))
    return f'<div class="stylobate" title="{plain}"><style>{_STYLE}</style>{body}</div>'


def _block(estimator: Any, *, label: str, opened: bool = False) -> Iterator[str]:
    fitted = _is_fitted(estimator)
    state = '<span class="state fitted">fitted</span>' if fitted else _NOT_FITTED
    prefix = f"{escape(label)}: " if label else ""
    yield f"<details{' open' if opened else ''}><summary>{prefix}"
    yield f"{escape(type(estimator).__name__)}{state}</summary>"
    yield from _parameters(estimator)
    for name, inner in _inner_estimators(estimator):
        yield from _block(inner, label=name)
    if fitted:
        yield from _findings(estimator)
    yield "</details>"


def _parameters(estimator: Any) -> Iterator[str]:
    params = estimator.get_params(deep=False)
    if not params:
        return
    changed = changed_parameters(estimator)
    in_order = [name for name in defaults_of(type(estimator)) if name in params]
    yield "<table>"
    for name in in_order + [name for name in params if name not in in_order]:
        mark = ' class="changed"' if name in changed else ""
        value = escape(brief(params[name]))
        yield f"<tr{mark}><td>{escape(name)}</td><td>{value}</td></tr>"
    yield "</table>"


def _inner_estimators(estimator: Any) -> Iterator[tuple[str, Any]]:
    """Estimators among the parameters, also inside lists of (name, estimator, …).

    Where clones were fitted, which are kept as ``parameter_``, those are shown.
    """
    for name, given in estimator.get_params(deep=False).items():
        learnt = vars(estimator).get(f"{name}_")
        value = learnt if _is_estimator(learnt) or isinstance(learnt, list) else given
        if _is_estimator(value):
            yield name, value
        elif isinstance(value, list | tuple):
            for item in value:
                if isinstance(item, tuple) and len(item) > 1 and _is_estimator(item[1]):
                    rest = "".join(f" ({brief(each)})" for each in item[2:])
                    yield f"{item[0]}{rest}", item[1]


def _findings(estimator: Any) -> Iterator[str]:
    """The solver that was used and the certificate's verdict, where there are any."""
    solver = getattr(estimator, "solver_", None)
    if isinstance(solver, str):
        yield f"<p>solver: {escape(solver)}</p>"
    verdict = getattr(getattr(estimator, "certificate_", None), "verdict", None)
    if isinstance(verdict, str):
        yield f"<p>certificate: {escape(verdict)}</p>"


def _is_estimator(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _is_fitted(estimator: Any) -> bool:
    if hasattr(estimator, "__sklearn_is_fitted__"):
        return bool(estimator.__sklearn_is_fitted__())
    return any(name.endswith("_") and not name.startswith("__") for name in vars(estimator))
