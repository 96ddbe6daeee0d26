"""The program behind scripts/fuzz_models: workers that load changed models, and a watch."""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import pickle
import queue
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

import grammar
import mutations
import numpy as np

import stylobate
from stylobate.exceptions import ModelFileError, StylobateError
from stylobate.metrics import mean_absolute_error
from stylobate.neighbors import KernelDensity, KNeighborsRegressor
from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    BatchNorm,
    Conv2d,
    Dense,
    Dropout,
    Embedding,
    Flatten,
    LayerNorm,
    MaxPool2d,
    Network,
    Parallel,
    PReLU,
    Residual,
)
from stylobate.testing import all_estimators
from stylobate.testing.discovery import example_of
from stylobate.testing.problems import fitted, problem_for

MEMORY = 3 << 30  # bytes of address space beyond what a worker has when it begins
SECONDS = 10.0  # without a word, before a worker is taken for hung
SLOW = 2.0  # seconds to load one file of a few kilobytes
HUNGRY = 200 << 20  # bytes that loading one may take
LABELS = ["a", "b", "c"]


def models(only=None):
    """Fitted models of every public estimator, with the rows and targets to ask them with.

    `only`: names of classes; models of others are left out then.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in all_estimators():
            if only and kind.__name__ not in only:
                continue
            example = example_of(kind)
            if kind.__name__ in ("LabelBinarizer", "LabelEncoder", "MultiLabelBinarizer"):
                yield (
                    example.fit([LABELS]) if kind.__name__[0] == "M" else example.fit(LABELS),
                    LABELS,
                    None,
                )
                continue
            problem = problem_for(example)
            model = fitted(example, problem.X, problem.y)
            if hasattr(model, "partial_fit") and "random_state" in model.get_params():
                model.set_params(random_state=np.random.RandomState(0))
            yield model, problem.X, problem.y
        if only:
            return
        for model, rows in mutations.models():
            yield model, rows, None
        for model in by_indices():
            yield model, ROWS, None
        for network in networks():
            yield network, np.ones((3, *network.input_shape)), None


ROWS = np.random.default_rng(1).normal(size=(40, 2))


def by_indices():
    """Models that hold trees of points, of a named metric and of a function."""
    yield KernelDensity(algorithm="kd_tree").fit(ROWS)
    yield KernelDensity(kernel="linear").fit(ROWS, sample_weight=np.arange(40.0))
    yield KNeighborsRegressor(metric=mean_absolute_error, algorithm="ball_tree").fit(
        ROWS, ROWS[:, 0]
    )


def networks():
    """Networks by themselves: images, branches and moments; columns and categories."""
    block = Residual([Conv2d(6, 3, padding=1), PReLU()], scale=0.5)
    branches = Parallel([[Conv2d(4, 1, bias=None), BatchNorm()], [MaxPool2d(3, 1, "same")]])
    images = [branches, block, AvgPool2d(2), Flatten(), Dense(3), Activation("softmax")]
    yield Network(images, (2, 4, 4), dtype="float32")
    yield Network([Embedding({1: 3}, size=2), LayerNorm(), Dense(4), Dropout(), Dense(1)], 3)


def kept(folder, only=None):
    """The parts of all models, in a file for the workers."""
    place = Path(folder) / "models"
    known = [(mutations.parts_of(model), X, y) for model, X, y in models(only)]
    place.write_bytes(pickle.dumps(known))
    return place


def outcome_of(known, seed, history=None):
    """What came of one file: refused, worked, or how it failed."""
    draw = random.Random(seed)
    parts, X, y = known[seed % len(known)]
    stream, changes = grammar.changed(parts, draw, [other[0] for other, _, _ in known])
    if history is not None:
        history.extend(changes)
    began, before = time.process_time(), resident()
    try:
        model = stylobate.load(stream)
    except ModelFileError:
        model = None
    except MemoryError:
        return "memory", "load", ""
    except Exception as error:
        return "raw error at load", type(error).__name__, describe(error)
    if time.process_time() - began > SLOW:
        return "slow load", str(time.process_time() - began), ""
    if resident() - before > HUNGRY:
        return "memory", "load", ""
    return ("refused", "", "") if model is None else asked(model, X, y)


def asked(model, X, y):
    for name in (*mutations.METHODS, "partial_fit"):
        with contextlib.suppress(StylobateError):
            try:
                ask = getattr(model, name, None)
                if ask is not None:
                    ask(X) if name != "partial_fit" else y is not None and ask(X, y)
            except StylobateError:
                raise
            except MemoryError:
                return "memory", name, type(model).__name__
            except Exception as error:
                return "error later", f"{type(model).__name__}.{name}", describe(error)
    return "worked", "", ""


def describe(error):
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {str(error)[:100]} ({Path(last.filename).name}:{last.lineno})"


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def work(place, first, stop):
    """Files one after the other; the first word of a line is the seed that is done."""
    known = pickle.loads(Path(place).read_bytes())
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    print("ready", flush=True)
    said = sys.stdout
    with Path("/dev/null").open("w") as nowhere, contextlib.redirect_stdout(nowhere):
        for seed in range(first, stop):  # a model with verbose=True talks
            print(json.dumps([seed, *outcome_of(known, seed)]), file=said, flush=True)


def watched(place, first, stop):
    """(seed, outcome, where, words) of each file, whatever happens to the workers."""
    while first < stop:
        command = [sys.executable, __file__, "--work", str(place), str(first), str(stop)]
        worker = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={"PYTHONPATH": ":".join(sys.path), "OPENBLAS_NUM_THREADS": "1", "PATH": "/usr/bin"},
        )  # fmt: skip
        lines: queue.Queue = queue.Queue()
        reader = threading.Thread(target=_read, args=(worker.stdout, lines), daemon=True)
        reader.start()
        patience = 120.0
        while (line := _next(lines, patience)) not in ("", None):
            if line != "ready\n":
                found = json.loads(line)
                first = found[0] + 1
                yield tuple(found)
            patience = SECONDS
        if first >= stop:
            worker.wait()
            return
        if line is None:
            worker.kill()
            yield first, "hang", "", ""
        else:
            words = worker.stderr.read()
            yield first, "crash", str(worker.wait()), words[-300:]
        worker.wait()
        first += 1


def _read(stream, lines):
    for line in stream:
        lines.put(line)
    lines.put("")


def _next(lines, patience):
    try:
        return lines.get(timeout=patience)
    except queue.Empty:
        return None


HARMLESS = ("refused", "worked", "error later")


def campaign(first, count, *, show=None, only=None):
    """The outcomes of many files, and those that are no harmless ones."""
    outcomes, errors, harmful = Counter(), Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        for seed, outcome, where, words in watched(kept(folder, only), first, first + count):
            outcomes[outcome] += 1
            if outcome == "error later":
                errors[where, words] += 1
            if outcome not in HARMLESS:
                harmful.append((seed, outcome, where, words))
                if show:
                    show(harmful[-1])
    return outcomes, errors, harmful


def main(arguments):
    if arguments[:1] == ["--work"]:
        work(arguments[1], int(arguments[2]), int(arguments[3]))
        return 0
    parser = argparse.ArgumentParser(prog="scripts/fuzz_models")
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--only", nargs="+", metavar="CLASS")
    options = parser.parse_args(arguments)
    if options.seed is not None:
        history: list = []
        with tempfile.TemporaryDirectory() as folder:
            known = pickle.loads(kept(folder, options.only).read_bytes())
        print(outcome_of(known, options.seed, history), *history, sep="\n")
        return 0
    outcomes, errors, harmful = campaign(
        options.first, options.count, show=print, only=options.only
    )
    for (where, words), times in errors.most_common(60):
        print(f"{times:6}  {where}  {words}")
    print(dict(outcomes))
    return 1 if harmful else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
