from __future__ import annotations

import json
import zipfile

import pytest


@pytest.fixture
def rewritten(tmp_path):
    """A function that writes a changed copy of a model file: change(document) edits its JSON."""

    def rewrite(path, change=None, *, arrays=None, members=None):
        with zipfile.ZipFile(path) as archive:
            document = json.loads(archive.read("model.json"))
            stored = archive.read("arrays.safetensors")
        if change is not None:
            document = change(document) or document
        text = document if isinstance(document, str) else json.dumps(document)
        target = tmp_path / "changed.stylobate"
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr("model.json", text)
            archive.writestr("arrays.safetensors", stored if arrays is None else arrays(stored))
            for name, content in members or ():
                archive.writestr(name, content)
        return target

    return rewrite
