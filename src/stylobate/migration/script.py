"""A script with scikit-learn's imports swapped for ours wherever we have the names."""

from __future__ import annotations

import ast
import difflib
from dataclasses import dataclass, field

from stylobate.exceptions import InvalidDataError
from stylobate.migration.edits import Edit, Places
from stylobate.migration.names import (
    OURS,
    THEIRS,
    is_switch,
    nearest,
    other_defaults,
    our_object,
    our_path,
    parameters_of,
)


@dataclass(frozen=True, slots=True)
class Note:
    """What to know of a line.

    Parameters
    ----------
    line : int
        Of the script before.
    text : str
    """

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Migration:
    """What swapping the imports of a script changes.

    Parameters
    ----------
    before, after : str
        The script.
    moved : tuple of str
        Names that come from us now, as ``linear_model.Ridge``.
    kept : tuple of str
        Names of scikit-learn that we do not have, which stay as they are.
    notes : tuple of Note
        Parameters that are not there, defaults that differ, names that stay: line by line.
    """

    before: str
    after: str
    moved: tuple[str, ...]
    kept: tuple[str, ...]
    notes: tuple[Note, ...]

    def diff(self, name: str = "script.py") -> str:
        """The change as a unified diff, which ``patch`` can apply; empty where nothing changes."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            name,
            name,
        )
        return "".join(
            line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
            for line in lines
        )

    def to_dict(self) -> dict[str, object]:
        """All of it as plain data."""
        return {
            "moved": list(self.moved),
            "kept": list(self.kept),
            "notes": [{"line": note.line, "text": note.text} for note in self.notes],
            "after": self.after,
        }

    def __str__(self) -> str:
        if not self.moved and not self.kept:
            return "Nothing here is imported from scikit-learn."
        count = len(self.moved)
        lines = [f"{count} name{'s come' if count != 1 else ' comes'} from Stylobate now."]
        if self.kept:
            lines.append(f"Still scikit-learn's: {', '.join(self.kept)}.")
        lines += [f"line {note.line}: {note.text}" for note in self.notes]
        return "\n".join(lines)


def migrate(text: str) -> Migration:
    r"""Swap scikit-learn's imports for ours wherever we have the names; run nothing.

    Names that we lack stay imported from scikit-learn, so that the script goes on working: our
    estimators and theirs can be put into each other.

    Parameters
    ----------
    text : str
        A Python script.

    Returns
    -------
    Migration

    Examples
    --------
    >>> found = migrate("from sklearn.linear_model import Ridge\nRidge(alpha=2.0)\n")
    >>> print(found.after, end="")
    from stylobate.linear_model import Ridge
    Ridge(alpha=2.0)
    >>> found.moved
    ('linear_model.Ridge',)
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        where = f", line {line}" if line else ""
        raise InvalidDataError(
            f"The script is no Python that this Python ({_python()}) can read{where}: "
            f"{getattr(error, 'msg', None) or error}. Notebooks first have to become scripts."
        ) from error
    return _Swap(text, tree).migration()


def _python() -> str:
    import platform

    return platform.python_version()


@dataclass
class _Swap:
    """The state of a swap: which names stand for what, edits and notes so far."""

    text: str
    tree: ast.Module
    places: Places = field(init=False)
    edits: list[Edit] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    moved: dict[str, None] = field(default_factory=dict)
    kept: dict[str, None] = field(default_factory=dict)
    objects: dict[str, tuple[str, str]] = field(default_factory=dict)  # name → module, attribute
    modules: dict[str, str] = field(default_factory=dict)  # name → module
    uses: dict[str, list[tuple[ast.Name, str, str]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.text)

    def migration(self) -> Migration:
        statements = [
            node for node in ast.walk(self.tree) if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        for node in statements:
            if isinstance(node, ast.Import):
                self._remember_modules(node)
            elif _is_theirs(node.module) and not node.level:
                self._swap_names(node)
        self._find_uses()
        for node in statements:
            if isinstance(node, ast.Import):
                self._swap_modules(node)
            elif _is_theirs(node.module) and not node.level:
                self._swap_packages(node)
        self._look_at_calls()
        self._look_at_texts()
        notes = sorted(set(self.notes), key=lambda note: (note.line, note.text))
        after = self.places.edited(self.edits)
        return Migration(self.text, after, tuple(self.moved), tuple(self.kept), tuple(notes))

    # --- from sklearn.x import y ----------------------------------------------------------------

    def _swap_names(self, node: ast.ImportFrom) -> None:
        """Objects are decided one by one; modules wait until it is known what is used of them."""
        module = node.module or THEIRS
        for alias in node.names:
            name = alias.asname or alias.name
            thing = our_object(module, alias.name)
            if alias.name == "*":
                self._keep(node, f"{module}.*", "a star import names nothing; import the names")
            elif _is_module(thing):
                self.modules[name] = f"{module}.{alias.name}"
            elif thing is None and not is_switch(module, alias.name):
                near = nearest(module, alias.name)
                hint = f" {near} is spelt alike." if near else ""
                self._keep(node, f"{module}.{alias.name}", f"Stylobate does not have it.{hint}")
            else:
                self.objects[name] = (module, alias.name)
                self.moved[_short(module, alias.name)] = None

    def _swap_packages(self, node: ast.ImportFrom) -> None:
        """Write the statement anew, or as two where some names stay."""
        module = node.module or THEIRS
        ours, theirs, dropped = [], [], 0
        for alias in node.names:
            name = alias.asname or alias.name
            if is_switch(module, alias.name):
                dropped += 1
            elif self.objects.get(name) == (module, alias.name) or self._moves_wholly(name):
                ours.append(alias)
            else:
                theirs.append(alias)
        if not ours and not dropped:
            return
        start, end = self.places.span(node)
        if not theirs and not dropped:
            at = start + self.places.text(start, end).index(THEIRS)
            self.edits.append(Edit(at, at + len(THEIRS), OURS))
            return
        lines = [
            _import_line(each, names)
            for each, names in ((our_path(module), ours), (module, theirs))
            if names
        ]
        if not lines and self.places.has_a_line(node):
            self.edits.append(Edit(start, end + 1, ""))
            return
        between = f"\n{self.places.indentation(node)}" if self.places.stands_alone(node) else "; "
        self.edits.append(Edit(start, end, between.join(lines) or "pass"))
        if "#" in self.places.text(start, end):
            self.notes.append(Note(node.lineno, "comments inside of this import are not kept."))

    # --- import sklearn.x, and modules by name --------------------------------------------------

    def _remember_modules(self, node: ast.Import) -> None:
        for alias in node.names:
            if _is_theirs(alias.name):
                self.modules[alias.asname or THEIRS] = alias.name if alias.asname else THEIRS

    def _find_uses(self) -> None:
        """Every ``module.name`` in the script, for the modules imported."""
        inner = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(self.tree):
            chain = _chain(node)
            if chain is None or chain[0].id not in self.modules or id(node) in inner:
                continue
            root, names = chain
            module = self.modules[root.id]
            while names and _is_module(our_object(module, names[0])):
                module, names = f"{module}.{names[0]}", names[1:]
            name = names[0] if names else ""
            self.uses.setdefault(root.id, []).append((root, module, name))

    def _moves_wholly(self, name: str) -> bool:
        """Whether all that is used of a module is ours too."""
        if name not in self.modules or name == THEIRS:
            return False
        uses = self.uses.get(name, [])
        missing = [(node, module, each) for node, module, each in uses if not _have(module, each)]
        for node, module, each in missing:
            self._keep(node, f"{module}.{each}", "Stylobate does not have it; the module stays.")
        if not missing:
            for _, module, each in uses:
                self.moved[_short(module, each)] = None
        return not missing and our_object(*self.modules[name].rsplit(".", 1)) is not None

    def _swap_modules(self, node: ast.Import) -> None:
        """``import sklearn.x as y``: all of its uses move or none; without ``as``: one by one."""
        for alias in node.names:
            if not _is_theirs(alias.name):
                continue
            place, _ = self.places.span(alias)
            swap = Edit(place, place + len(THEIRS), OURS)
            if alias.asname is None:
                self._swap_uses(node, alias.name, swap)
            elif self._moves_wholly(alias.asname):
                self.edits.append(swap)
        self.edits = list(dict.fromkeys(self.edits))

    def _swap_uses(self, node: ast.Import, imported: str, swap: Edit) -> None:
        """Uses of ``sklearn.x.y`` move where we have them; the import stays for the others."""
        uses = self.uses.get(THEIRS, [])
        stay = [use for use in uses if not _have(use[1], use[2])]
        for use, module, name in stay:
            self._keep(use, f"{module}.{name}", "Stylobate does not have it.")
        for use, module, name in uses:
            if _have(module, name):
                self.edits.append(Edit(*self.places.span(use), OURS))
                self.moved[_short(module, name)] = None
        if not stay and (imported == THEIRS or our_object(*imported.rsplit(".", 1))):
            self.edits.append(swap)
        elif len(stay) < len(uses):
            _, end = self.places.span(node)
            alone = self.places.stands_alone(node)
            between = f"\n{self.places.indentation(node)}" if alone else "; "
            self.edits.append(Edit(end, end, f"{between}import {OURS}"))

    # --- what else to know ----------------------------------------------------------------------

    def _look_at_calls(self) -> None:
        """Parameters that are not there, and defaults that differ, of what is called."""
        for node in ast.walk(self.tree):
            if not isinstance(node, ast.Call):
                continue
            target = self._target(node.func)
            if target is None:
                continue
            given = {each.arg for each in node.keywords if each.arg}
            self._compare(node, target, given, open_ended=len(given) < len(node.keywords))

    def _target(self, function: ast.expr) -> tuple[str, str] | None:
        """The module and name of ours that a call reaches."""
        if isinstance(function, ast.Name):
            return self.objects.get(function.id)
        chain = _chain(function)
        if chain is None:
            return None
        for root, module, name in self.uses.get(chain[0].id, []):
            if root is chain[0] and name and _have(module, name):
                return module, name
        return None

    def _compare(
        self, node: ast.Call, target: tuple[str, str], given: set[str], *, open_ended: bool
    ) -> None:
        known = parameters_of(our_object(*target))
        name = target[1]
        if known is not None:
            for unknown in sorted(given - known.keys()):
                text = f"{name} has no parameter {unknown!r} here; leave it out or keep theirs."
                self.notes.append(Note(node.lineno, text))
        if open_ended:
            return
        for each, (theirs, ours) in other_defaults(*target).items():
            if each not in given:
                text = f"{name}: {each} is {ours!r} by default, scikit-learn's is {theirs!r}."
                self.notes.append(Note(node.lineno, text))

    def _look_at_texts(self) -> None:
        """Names of their modules in texts, which no swap of imports reaches."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                value = node.value
                if value.startswith(f"{THEIRS}.") and " " not in value:
                    self.notes.append(Note(node.lineno, f"the text {value!r} names scikit-learn."))

    def _keep(self, node: ast.stmt | ast.expr, path: str, why: str) -> None:
        self.kept[path.removeprefix(f"{THEIRS}.")] = None
        self.notes.append(Note(node.lineno, f"{path} stays: {why}"))


def _have(module: str, name: str) -> bool:
    """Whether a name is ours too; versions and files of a module are its own."""
    return not name.startswith("__") and (not name or our_object(module, name) is not None)


def _is_theirs(module: str | None) -> bool:
    return module is not None and (module == THEIRS or module.startswith(f"{THEIRS}."))


def _is_module(thing: object) -> bool:
    from types import ModuleType

    return isinstance(thing, ModuleType)


def _short(module: str, name: str) -> str:
    path = f"{module}.{name}" if name else module
    return path.removeprefix(f"{THEIRS}.")


def _chain(node: ast.AST) -> tuple[ast.Name, list[str]] | None:
    """``a.b.c`` as the name a and [b, c]."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return (node, names[::-1]) if isinstance(node, ast.Name) else None


def _import_line(module: str, names: list[ast.alias]) -> str:
    listed = ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in names)
    line = f"from {module} import {listed}"
    if len(line) <= 88:
        return line
    each = "".join(f"    {part},\n" for part in listed.split(", "))
    return f"from {module} import (\n{each})"
