"""`stylobate migrate`: a diff, the change itself, and both runs beside each other."""

from __future__ import annotations

import json

SCRIPT = """from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression

X, y = load_iris(return_X_y=True)
print(round(LogisticRegression(tol=1e-8, max_iter=1000).fit(X, y).score(X, y), 3))
"""


def test_a_diff_is_printed_and_nothing_written(run, table):
    path = table(SCRIPT, "script.py")
    done = run("migrate", path)
    assert done.exit_code == 0
    assert "+from stylobate.linear_model import LogisticRegression" in done.stdout
    assert "2 names come from Stylobate now." in done.stdout
    assert path.read_text() == SCRIPT


def test_applied_and_run(run, table):
    path = table(SCRIPT, "script.py")
    path.chmod(0o755)
    done = run("migrate", path, "--apply", "--run")
    assert done.exit_code == 0, done.stderr
    assert "Both print the same" in done.stdout
    assert "from stylobate.datasets import load_iris" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o755
    assert [each.name for each in path.parent.iterdir()] == ["script.py"]
    again = run("migrate", path)
    assert "Nothing here is imported from scikit-learn." in again.stdout


def test_json(run, table):
    done = run("migrate", table(SCRIPT, "script.py"), "--json")
    told = json.loads(done.stdout)
    assert told["moved"] == ["datasets.load_iris", "linear_model.LogisticRegression"]


def test_refusals(run, table, tmp_path):
    for path, words in (
        (tmp_path / "none.py", "No such file"),
        (table("def f(:\n", "bad.py"), "is no Python"),
        (table(b"\xff\xfe\x00", "bytes.py"), "is no text in UTF-8"),
        (tmp_path, "Is a directory"),
    ):
        done = run("migrate", path)
        assert done.exit_code == 2
        assert words in done.stderr
