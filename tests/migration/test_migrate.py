"""Scripts with their imports swapped: what moves, what stays, and that the rest is untouched."""

from __future__ import annotations

import ast
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stylobate.exceptions import InvalidDataError
from stylobate.migration import compare_runs, migrate

NOT_OURS = "sklearn.utils.estimator_checks"  # a test suite of theirs; ours is stylobate.testing


def after(script):
    return migrate(script).after


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("from sklearn.svm import SVC\n", "from stylobate.svm import SVC\n"),
        (
            "from sklearn.svm import (\n    SVC,  # kernels\n    LinearSVC as L,\n)\n",
            "from stylobate.svm import (\n    SVC,  # kernels\n    LinearSVC as L,\n)\n",
        ),
        (
            "import numpy\nfrom sklearn import svm, tree as t\n"
            "svm.SVC(), t.DecisionTreeClassifier()",
            "import numpy\nfrom stylobate import svm, tree as t\n"
            "svm.SVC(), t.DecisionTreeClassifier()",
        ),
        (
            "import sklearn.linear_model as lm, os\nlm.Ridge()\n",
            "import stylobate.linear_model as lm, os\nlm.Ridge()\n",
        ),
        (
            "import sklearn.svm\nprint(sklearn.svm.SVC())\n",
            "import stylobate.svm\nprint(stylobate.svm.SVC())\n",
        ),
        (
            "import sklearn\nprint(sklearn.__version__, sklearn.svm.SVC())\n",
            "import sklearn\nimport stylobate\nprint(sklearn.__version__, stylobate.svm.SVC())\n",
        ),
        (
            "def f():\n    from sklearn.svm import SVC; return SVC()\n",
            "def f():\n    from stylobate.svm import SVC; return SVC()\n",
        ),
        (
            "from sklearn.experimental import enable_halving_search_cv  # noqa\nx = 1\n",
            "pass  # noqa\nx = 1\n",
        ),
        ("from sklearn.experimental import enable_halving_search_cv\nx = 1\n", "x = 1\n"),
        (
            f"if True:\n    from {NOT_OURS} import check_estimator\n",
            f"if True:\n    from {NOT_OURS} import check_estimator\n",
        ),
        ("from sklearn.svm import *\n", "from sklearn.svm import *\n"),
        ("é = 'ü'; from sklearn.svm import SVC\n", "é = 'ü'; from stylobate.svm import SVC\n"),
        (
            "from .sklearn import SVC\nimport sklearnex\n",
            "from .sklearn import SVC\nimport sklearnex\n",
        ),
        (
            "a = 1\rfrom sklearn.svm import SVC\r\nb = 2\n",
            "a = 1\rfrom stylobate.svm import SVC\r\nb = 2\n",
        ),
        ("", ""),
    ],
)
def test_imports_are_swapped_and_nothing_else(script, expected):
    assert after(script) == expected


def test_names_that_we_lack_stay_with_their_reason():
    found = migrate("from sklearn.svm import (\n    SVC,\n    NoSuchThing as N,\n)\nSVC()\n")
    assert found.after == (
        "from stylobate.svm import SVC\nfrom sklearn.svm import NoSuchThing as N\nSVC()\n"
    )
    assert found.moved == ("svm.SVC",)
    assert found.kept == ("svm.NoSuchThing",)
    assert "Still scikit-learn's: svm.NoSuchThing." in str(found)


def test_a_module_of_which_something_is_missing_stays():
    script = "from sklearn import svm\nsvm.SVC()\nsvm.NoSuchThing()\n"
    found = migrate(script)
    assert found.after == script
    assert found.notes[0].line == 3
    assert "the module stays" in found.notes[0].text


def test_parameters_and_defaults_are_told():
    found = migrate("from sklearn.linear_model import Ridge\n\nRidge(2.0, foo=3)\n")
    assert [(note.line, note.text) for note in found.notes] == [
        (3, "Ridge has no parameter 'foo' here; leave it out or keep theirs.")
    ]
    found = migrate("from sklearn.manifold import TSNE\nTSNE()\nTSNE(method='exact')\n")
    assert [note.line for note in found.notes] == [2]
    assert "method is 'auto' by default, scikit-learn's is 'barnes_hut'" in found.notes[0].text


def test_names_in_texts_are_told():
    found = migrate("import importlib\nimportlib.import_module('sklearn.svm')\n")
    assert "'sklearn.svm' names scikit-learn" in found.notes[0].text


def test_the_diff_can_be_applied(tmp_path):
    script = "import sklearn.svm as s\r\nfrom sklearn.tree import DecisionTreeClassifier\ns.SVC()"
    found = migrate(script)
    place = tmp_path / "script.py"
    place.write_bytes(script.encode())
    done = subprocess.run(
        ["git", "apply", "-p0", "--unsafe-paths", "-"],
        input=found.diff("script.py").encode(),
        cwd=tmp_path,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    assert place.read_bytes().decode() == found.after


@pytest.mark.parametrize("script", ["def f(:\n", "print 'x'\n", "x = (" * 300, "a\0b"])
def test_what_is_no_python_is_refused(script):
    with pytest.raises(InvalidDataError, match="is no Python that this Python"):
        migrate(script)


_LINES = st.sampled_from(
    [
        "from sklearn.svm import SVC, LinearSVC as L",
        "from sklearn import svm, datasets as d, tree",
        "import sklearn.linear_model as lm",
        "import sklearn.tree, os",
        "from sklearn.linear_model import (Ridge,\n        Nothing)",
        "x = lm.Ridge(alpha=1)",
        "print(sklearn.tree.DecisionTreeClassifier, sklearn.nothing)",
        "svm.SVC(); tree.Nothing",
        "from sklearn.experimental import enable_iterative_imputer; y = 'sklearn.x'",
        "d.load_iris()  # größer",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(_LINES, st.booleans()), max_size=8))
def test_any_script_stays_python_and_settles(lines):
    script = "".join(f"if 1:\n    {line}\n" if inside else f"{line}\n" for line, inside in lines)
    once = after(script)
    ast.parse(once)
    assert after(once) == once
    rest = [
        line for line in script.splitlines() if "sklearn" not in line and "Nothing)" not in line
    ]
    assert [line for line in once.splitlines() if line in rest] == rest


def test_runs_are_compared(tmp_path):
    (tmp_path / "beside.py").write_text("value = 7\n")
    other = compare_runs("import beside\nprint(beside.value)", "print(7.001)", folder=tmp_path)
    assert other.before.output.split() == ["7"]
    assert not other.same
    same = compare_runs("print('a', 1/3)", "print('a', 0.333333333333)")
    assert same.same
    assert 0 < same.largest < 1e-10
    other = compare_runs("print('a', 1)\nprint(2)", "print('a', 2)\nprint(2)")
    assert other.lines == ((1, "a 1", "a 2"),)
    assert "1 printed lines differ" in str(other)
    broken = compare_runs("print(1)", "raise ValueError('no')")
    assert not broken.same
    assert "ValueError: no" in str(broken)
    with pytest.raises(InvalidDataError, match="allow more time"):
        compare_runs("while True: pass", "", timeout=0.5)


def test_two_failures_are_no_agreement():
    both = compare_runs("print(1)\nraise KeyError('a')", "print(1)\nraise TypeError('b')")
    assert not both.same
    said = str(both)
    assert "fails before and after" in said
    assert "KeyError: 'a'" in said
    assert "TypeError: b" in said
    mended = compare_runs("raise KeyError('a')", "print(1)")
    assert "status 1 before and 0 after: KeyError: 'a'" in str(mended)
