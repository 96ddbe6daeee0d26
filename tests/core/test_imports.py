"""What an import loads: NumPy and our own modules."""

from __future__ import annotations

import pkgutil

import pytest

import stylobate

HEAVY = {
    "scipy", "sklearn", "pandas", "polars", "pyarrow", "narwhals", "matplotlib", "rich", "typer",
    "statsmodels", "joblib", "threadpoolctl", "hypothesis", "pytest", "duckdb", "torch",
}  # fmt: skip


@pytest.fixture
def loaded_by(run_program):
    def loaded(program):
        modules = run_program(f"{program}\nimport sys\nprint(*sys.modules)").split()
        assert "stylobate" in modules
        return {name.split(".")[0] for name in modules}

    return loaded


@pytest.mark.parametrize(
    "statement",
    [
        "import stylobate",
        "import stylobate.linear_model",
        "from stylobate.linear_model import LinearRegression, Ridge, RidgeCV",
    ],
)
def test_imports_load_nothing_heavy(statement, loaded_by):
    assert not HEAVY & loaded_by(statement)


def test_a_fit_loads_scipy_and_what_tames_its_blas(loaded_by):
    program = """
import numpy as np
from stylobate.linear_model import LinearRegression
LinearRegression().fit(np.eye(3), np.ones(3)).predict(np.eye(3))
"""
    assert HEAVY & loaded_by(program) <= {"scipy", "threadpoolctl"}


def test_every_public_package_is_an_attribute_of_the_root(run_program):
    found = {each.name for each in pkgutil.iter_modules(stylobate.__path__) if each.ispkg}
    packages = sorted(found - {"cli"})  # the command, which is called from the terminal
    program = (
        "import stylobate\nfor name in {names!r}:\n    print(getattr(stylobate, name).__name__)"
    )
    assert run_program(program.format(names=packages)).split() == [
        f"stylobate.{name}" for name in packages
    ]
    assert set(packages) <= set(stylobate.__all__) & set(dir(stylobate))
