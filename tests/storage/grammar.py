"""Model files changed by their structure: the grammar of the format, with hostile values in it.

`changed` takes the document and the arrays of a sound model and gives those of an unsound one, by
one to three changes drawn from a list: a leaf becomes another leaf, an attribute is lost, twice
there or swapped, a subtree comes from elsewhere, values nest deeply or share parts of each other,
an array has other cells, shape or dtype. Half of the files forge what they say of themselves as
well, as a stranger would who knows the format.
"""

from __future__ import annotations

import copy
import json

import mutations
import numpy as np

NAN = {"is": "float", "text": "nan"}
LEAVES = [
    None, True, False, 0, 1, -1, 3, 2**31, 2**40, -(2**63), 2**64, 10**299, 0.5, -1.5, 1e308,
    5e-324, "", "x", "nan", "euclidean", "drop", "passthrough", "auto", NAN,
    {"is": "float", "text": "inf"},
    {"is": "float", "text": "1e400"}, {"is": "complex", "parts": ["0x1p+0", "nan"]},
    {"is": "bytes", "hex": "00ff"}, {"is": "ellipsis"}, {"is": "slice", "entries": [0, 2**70, -1]},
    {"is": "range", "entries": [0, 10**8, 1]}, {"is": "range", "entries": [0, 10, 0]},
    {"is": "range", "entries": [3, -99_999, -1]}, {"is": "range", "entries": [0, 2**80]},
    {"is": "scalar", "dtype": "<f8", "value": "nan"}, {"is": "scalar", "dtype": "|O", "value": [1]},
    {"is": "scalar", "dtype": "<i8", "value": 2**63}, {"is": "scalar", "dtype": "<U5", "value": ""},
    {"is": "scalar", "dtype": "<M8[ns]", "value": -(2**63)}, {"is": "dtype", "name": "<U999999999"},
    {"is": "dtype", "name": "|O"}, {"is": "dtype", "name": "|S0"}, {"is": "type", "name": "object"},
    {"is": "type", "name": "numpy.void"}, {"is": "function", "name": "numpy.log1p"},
    {"is": "function", "name": "stylobate.metrics.accuracy_score"},
    {"is": "function", "name": "scipy.special.gdtrix"}, {"is": "datetime", "parts": "2020-01-01"},
    {"is": "date", "parts": 3}, {"is": "time", "parts": "25:00"},
    {"is": "timedelta", "parts": [10**12, 0, 0]}, {"is": "Decimal", "parts": "1e999999999"},
    {"is": "Decimal", "parts": "sNaN"}, {"is": "pandas.NA", "parts": None},
    {"is": "pandas.Timestamp", "parts": [0, "dateutil//etc/passwd"]},
    {"is": "pandas.Timestamp", "parts": [2**63, None]},
    {"is": "pandas.Timedelta", "parts": [5, "Europe/Paris"]},
    {"is": "again", "number": 0}, {"is": "again", "number": 1}, {"is": "again", "number": -1},
    {"is": "mystery"}, {"is": []}, {},
]  # fmt: skip
CLASSES = [
    "stylobate.linear_model.Ridge", "stylobate.preprocessing.StandardScaler",
    "stylobate.tree.DecisionTreeClassifier", "stylobate.pipeline.Pipeline", "stylobate.tree.Tree",
    "stylobate.neighbors.KNeighborsClassifier", "stylobate.kernels.RBF", "os.system",
]  # fmt: skip


def listed(entries, kind="tuple", **more):
    return {"is": kind, "entries": entries, **more}


def dictionary(**items):
    return {"is": "dict", "items": items}


def random_states(draw):
    """States of random generators, most of them impossible."""
    number = draw.choice([0, 1, 624, 625, -1, 2**31 - 1, 2**63, 2**128, 0.5, "1", None])
    keys = listed([draw.choice([0, 1, 2**32 - 1])] * draw.choice([0, 1, 4, 624]), "list")
    name = draw.choice(["MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64", "X"])
    state = {
        "MT19937": {"key": keys, "pos": number}, "PCG64": {"state": number, "inc": number},
        "PCG64DXSM": {"state": 1, "inc": number}, "SFC64": {"state": keys},
        "Philox": {"counter": keys, "key": keys},
    }.get(name, {})  # fmt: skip
    parts = {
        "bit_generator": name, "state": dictionary(**state), "has_uint32": number, "uinteger": 0,
        "has_gauss": number, "gauss": NAN, "buffer": keys, "buffer_pos": number,
    }  # fmt: skip
    for lost in draw.sample(sorted(parts), draw.randrange(5)):
        del parts[lost]
    return {"is": draw.choice(["RandomState", "Generator"]), "parts": dictionary(**parts)}


def deep(draw):
    """Values in values in values."""
    node = draw.choice([0, {"is": "list", "entries": []}])
    wrap = draw.choice([lambda n: [n], lambda n: listed([n]), lambda n: dictionary(a=n)])
    for _ in range(draw.choice([20, 90, 150, 300])):
        node = wrap(node)
    return node


def shared(draw):
    """Parts that refer to parts that refer to parts: as a tree it would be endless."""
    width, height = draw.choice([(2, 40), (10, 10), (3, 5)])
    kind = draw.choice(["tuple", "frozenset", "list", "objects", "object"])

    def level(entries, number):
        if kind == "objects":
            return {"is": kind, "items": entries, "shape": [len(entries)], "number": number}
        if kind == "object":
            held = listed(entries)
            return {
                "is": kind, "class": "stylobate.linear_model.Ridge", "number": number,
                "state": {"alpha": held, "intercept_": held},
            }  # fmt: skip
        return listed(entries, kind, number=number)

    levels = [level([1, 2], 1000)]
    for number in range(1001, 1000 + height):
        levels.append(level([{"is": "again", "number": number - 1}] * width, number))
    return listed(levels, draw.choice(["tuple", "set", "list"]))


def sparse_rows(draw):
    """A sparse matrix whose indices lie somewhere."""
    whole = lambda: draw.choice([-1, 0, 1, 2, 3, 2**31 - 1, 2**40])  # noqa: E731

    def numbers(count):
        return listed([whole() for _ in range(count)], "list")

    parts = dictionary(
        **{"class": draw.choice(["csr_array", "csc_matrix", "dia_array", "lil_matrix", "x"])},
        shape=[whole(), whole()], data=numbers(2), indices=numbers(2), indptr=numbers(3),
    )  # fmt: skip
    return {"is": "sparse", "parts": parts}


MAKERS = [random_states, deep, shared, sparse_rows]


def hostile(draw):
    """A value that stands where it should not."""
    if draw.random() < 0.2:
        return draw.choice(MAKERS)(draw)
    leaf = copy.deepcopy(draw.choice(LEAVES))
    around = draw.random()
    if around < 0.1:
        return [leaf] * draw.choice([0, 1, 2, 40])
    return listed([leaf, leaf], draw.choice(["tuple", "set"])) if around < 0.15 else leaf


def places(node, path=()):
    """Every place in a document."""
    yield path
    if isinstance(node, dict | list):
        inner = node.items() if isinstance(node, dict) else enumerate(node)
        for key, each in list(inner):
            yield from places(each, (*path, key))


def at(document, path):
    for step in path:
        document = document[step]
    return document


def states(document):
    """The states of the objects in a document."""
    found = (path for path in places(document["model"], ("model",)) if path[-1] == "state")
    return [path for path in found if isinstance(at(document, path), dict)]


def replace(document, draw, grafts):
    path = draw.choice(list(places(document["model"], ("model",)))[1:])
    at(document, path[:-1])[path[-1]] = hostile(draw)
    return path


def replace_attribute(document, draw, grafts):
    state = at(document, draw.choice(states(document)))
    name = draw.choice(sorted(state) or ["coef_"])
    state[name] = hostile(draw)
    return name


def lose(document, draw, grafts):
    state = at(document, draw.choice(states(document)))
    name = draw.choice(sorted(state) or [""])
    state.pop(name, None)
    return name


def lose_any(document, draw, grafts):
    path = draw.choice(list(places(document["model"], ("model",)))[1:])
    del at(document, path[:-1])[path[-1]]
    return path


def swap(document, draw, grafts):
    holders = [
        path
        for path in places(document["model"], ("model",))
        if isinstance(at(document, path), dict | list) and len(at(document, path)) > 1
    ]
    path = draw.choice(holders)
    holder = at(document, path)
    first, second = draw.sample(list(holder) if isinstance(holder, dict) else range(len(holder)), 2)
    holder[first], holder[second] = holder[second], holder[first]
    return path, first, second


def repeat(document, draw, grafts):
    """An attribute twice there, under the name of another, or an entry of a list twice."""
    path = draw.choice(list(places(document["model"], ("model",)))[1:])
    holder = at(document, path[:-1])
    again = copy.deepcopy(holder[path[-1]])
    if isinstance(holder, list):
        holder.insert(path[-1], again)
    else:
        holder[draw.choice([*sorted(holder), "extra_", "_extra"])] = again
    return path


def graft(document, draw, grafts):
    """The part of another model in the place of one."""
    other = draw.choice(grafts)["model"]
    source = draw.choice([path for path in places(other) if path][:200] or [()])
    path = draw.choice(list(places(document["model"], ("model",)))[1:])
    at(document, path[:-1])[path[-1]] = copy.deepcopy(at(other, source))
    return path, source


def rename(document, draw, grafts):
    path = draw.choice(states(document))[:-1]
    at(document, path)["class"] = draw.choice(CLASSES)
    return path


CHANGES = [
    replace, replace, replace_attribute, replace_attribute, replace_attribute, lose, lose, lose_any,
    swap, repeat, graft, rename,
]  # fmt: skip


def forge(document):
    """Make a file say nothing of what it had learnt, as those of the first version do."""
    document["format_version"] = [1, 0]
    nodes = [at(document, path) for path in places(document["model"], ("model",))]
    for node in nodes:
        if isinstance(node, dict) and node.get("is") == "object":
            node.pop("learnt", None)


def changed(parts, draw, grafts):
    """An unsound file, and how it came about."""
    document, arrays = json.loads(json.dumps(parts[0])), dict(parts[1])
    if draw.random() < 0.5:
        forge(document)
    history = []
    for _ in range(draw.choice([1, 1, 2, 3])):
        if arrays and draw.random() < 0.3:
            way, name = draw.choice(sorted(mutations._WAYS)), draw.choice(sorted(arrays))
            mutations._WAYS[way](arrays, name, draw)
            history.append((way, name, arrays[name][0], arrays[name][1].shape))
        elif arrays and draw.random() < 0.03:
            name = draw.choice(sorted(arrays))
            arrays[name] = ("F64", np.empty((draw.choice([3, 10**5, 10**9]), 0)))
            history.append(("empty", name))
        elif isinstance(document["model"], dict) and states(document):
            change = draw.choice(CHANGES)
            history.append((change.__name__, change(document, draw, grafts)))
    return mutations.packed(document, arrays), history
