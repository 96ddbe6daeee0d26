"""How to predict with the model, on the command line and in Python."""

from __future__ import annotations

from stylobate.report import Html, listing, section, tag
from stylobate.study.results import StudyResult


def using(result: StudyResult) -> Html | None:
    """Commands to copy."""
    if result.model is None or result.model.file is None:
        return None
    file = result.model.file
    quoted = _quoted(file)
    command = [
        f"stylobate predict {quoted} new.csv --out predictions.csv",
        f"stylobate explain {quoted}",
        f"stylobate explain {quoted} new.csv --row 1",
    ]
    python = [
        "import stylobate",
        "",
        f"model = stylobate.load({file!r})",
        "rows = stylobate.read('new.csv')  # or a frame with the columns model.feature_names_in_",
        "predicted = model.predict(rows)",
    ]
    if result.question.task != "regression":
        python.append("probabilities = model.predict_proba(rows)  # as in model.classes_")
    needed = [each.name for each in result.data.columns if each.use == "feature"]
    names = "column used here, under the same name" if len(needed) == 1 else (
        f"{len(needed):,} columns used here, under the same names"
    )  # fmt: skip
    note = (
        f"New rows need the {names}; further ones are left out. Categories never seen and gaps "
        "are no error."
    )
    return section(
        "using",
        "How to predict",
        tag("h3", "On the command line"),
        listing(command),
        tag("h3", "In Python"),
        listing(python),
        tag("p", note, class_="quiet"),
        lead="The model is a file beside this page. It holds numbers and settings, no code, so it "
        "is safe to open.",
    )


def _quoted(path: str) -> str:
    from shlex import quote

    return quote(path)
