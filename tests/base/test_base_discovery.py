"""Discovery finds the public estimators of a package and nothing else."""

from __future__ import annotations

import importlib
import subprocess
import sys
import textwrap

import pytest

from stylobate.base import BaseEstimator
from stylobate.base.discovery import estimators_declaring
from stylobate.testing import all_estimators

FILES = {
    "__init__.py": "",
    "models/__init__.py": """
        from abc import abstractmethod
        from stylobate.base import BaseEstimator

        __all__ = ["Abstract", "Public", "helper", "NoFit"]

        class Public(BaseEstimator):
            def fit(self, X, y=None): ...

        class Hidden(Public): ...

        class NoFit(BaseEstimator): ...

        class Abstract(BaseEstimator):
            @abstractmethod
            def fit(self, X, y=None): ...

        def helper(): ...
        """,
    "models/inner/__init__.py": """
        from zoo.models import Public
        __all__ = ["Another", "Public"]
        class Another(Public): ...
        """,
    "_private/__init__.py": """
        from zoo.models import Public
        __all__ = ["Secret"]
        class Secret(Public): ...
        """,
}


@pytest.fixture
def zoo(tmp_path, monkeypatch):
    for name, text in FILES.items():
        path = tmp_path / "zoo" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
    monkeypatch.syspath_prepend(tmp_path)
    yield importlib.import_module("zoo")
    for name in [name for name in sys.modules if name.partition(".")[0] == "zoo"]:
        del sys.modules[name]


def test_finds_public_estimators_once(zoo):
    assert [each.__name__ for each in all_estimators(zoo)] == ["Another", "Public"]


def test_the_library_itself():
    found = all_estimators()
    assert all(issubclass(each, BaseEstimator) for each in found)
    assert BaseEstimator not in found


def test_estimators_with_a_role_are_found_without_loading_the_others():
    found = estimators_declaring("_study_role")
    assert found == [kind for kind in all_estimators() if "_study_role" in vars(kind)]
    script = (
        "import sys; from stylobate.base.discovery import estimators_declaring;"
        "estimators_declaring('_study_role'); print('stylobate.manifold.tsne' in sys.modules,"
        "sum(name.startswith('stylobate.') for name in sys.modules))"
    )
    said = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    ).stdout.split()
    assert said[0] == "False"
    assert int(said[1]) < 900
