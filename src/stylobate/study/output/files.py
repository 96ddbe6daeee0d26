"""A result as files: the page, the data, the model, the pictures."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from stylobate.study.output.folder import StudyFolder, Writer, text_writer
from stylobate.study.results import StudyResult


def write_study(folder: StudyFolder, result: StudyResult, pipeline: Any) -> StudyResult:
    """Write all files of a study at once; returns the result with its pictures."""
    from stylobate.study.output.pictures import pictures_of
    from stylobate.study.page import study_page

    pictures = pictures_of(result)
    result = replace(result, pictures=tuple(picture for picture, _ in pictures))
    files: dict[str, Writer] = {}
    for picture, draw in pictures:
        files[f"pictures/{picture.file}"] = draw
    if pipeline is not None and result.status == "complete":
        files["model.stylobate"] = _model_writer(pipeline, result)
    text = json.dumps(result.to_dict(), indent=2, allow_nan=False, ensure_ascii=False)
    files["study.json"] = text_writer(text + "\n")
    files["report.html"] = text_writer(study_page(result))
    folder.write(files)
    return result


def _model_writer(pipeline: Any, result: StudyResult) -> Writer:
    from stylobate.storage import save

    question = result.question
    about = {
        "target": question.target,
        "task": question.task,
        "source": question.source,
        "command": result.reproduction.command if result.reproduction else "",
    }

    def write(path: Path) -> None:
        save(pipeline, path, about=about)

    return write
