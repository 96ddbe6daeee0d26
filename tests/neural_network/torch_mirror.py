"""Networks rebuilt in torch, layer by layer, with the same weights."""

import numpy as np

from stylobate.neural_network import (
    Activation,
    AvgPool2d,
    BatchNorm,
    Conv2d,
    Dense,
    Dropout,
    Embedding,
    GlobalAvgPool2d,
    GlobalMaxPool2d,
    LayerNorm,
    LocalResponseNorm,
    MaxPool2d,
    MinPool2d,
    Parallel,
    PReLU,
    Residual,
)
from stylobate.neural_network.layout import views


def padding_of(pooling):
    """In numbers, which is how torch's poolings want it; "same" is for odd windows that touch."""
    if pooling.padding != "same":
        return pooling.padding
    sides = np.broadcast_to(pooling.kernel_size, 2)
    assert (sides % 2 == 1).all()
    assert (np.broadcast_to(pooling.stride, 2) == 1).all()
    return tuple(int(side) // 2 for side in sides)


class Mirror:
    """A network in torch's own functions; `parameters` are leaves in our order."""

    def __init__(self, torch, network):
        self.torch, self.network = torch, network
        self.theta = torch.tensor(np.array(network.parameters), requires_grad=True)

    def __call__(self, x, skips=0, training=True):
        self.training = training
        places = self.network._places
        return self.chain(places[: len(places) - skips], x)

    def chain(self, places, x):
        for place in places:
            x = self.layer(place, x)
        return x

    def layer(self, place, x):
        layer, f = place.layer, self.torch.nn.functional
        w = {
            name: self.theta[at : at + int(np.prod(shape))].reshape(shape)
            for name, (at, shape) in place.weights.items()
        }
        if isinstance(layer, Parallel):
            found = [self.chain(branch, x) for branch in place.branches]
            return sum(found) if layer.join == "add" else self.torch.cat(found, dim=1)
        if isinstance(layer, Residual):
            inner, around = (self.chain(branch, x) for branch in place.branches)
            return around + layer.scale * inner
        if isinstance(layer, Dense):
            return x @ w["W"] + w.get("b", 0.0)
        if isinstance(layer, Conv2d):
            return f.conv2d(x, w["W"], w.get("b"), layer.stride, layer.padding, layer.dilation,
                            layer.groups)  # fmt: skip
        if isinstance(layer, Embedding):
            columns = [column for column, _ in layer.categories]
            plain = [k for k in range(x.shape[1]) if k not in columns]
            rows = [f.embedding(x[:, c].detach().long(), w[f"W{c}"]) for c in columns]
            return self.torch.cat([x[:, plain], *rows], dim=1)
        return self.other(place, x, w, f)

    def other(self, place, x, w, f):
        layer = place.layer
        if isinstance(layer, BatchNorm):
            moments = (self.torch.tensor(np.array(v), dtype=x.dtype) for v in
                       views(self.network.state, place.state).values())  # fmt: skip
            return f.batch_norm(x, *moments, w.get("scale"), w["shift"], self.training,
                                layer.momentum, layer.epsilon)  # fmt: skip
        if isinstance(layer, LayerNorm):
            return f.group_norm(x, 1, w["scale"], w["shift"], layer.epsilon)
        if isinstance(layer, LocalResponseNorm):
            return f.local_response_norm(x, layer.size, layer.alpha, layer.beta, layer.k)
        if isinstance(layer, PReLU):
            return f.prelu(x, w["a"])
        if isinstance(layer, MaxPool2d):
            return f.max_pool2d(x, layer.kernel_size, layer.stride, padding_of(layer))
        if isinstance(layer, MinPool2d):
            return -f.max_pool2d(-x, layer.kernel_size, layer.stride, padding_of(layer))
        if isinstance(layer, AvgPool2d):
            return f.avg_pool2d(x, layer.kernel_size, layer.stride, padding_of(layer),
                                count_include_pad=layer.count_include_pad)  # fmt: skip
        if isinstance(layer, GlobalAvgPool2d):
            return x.mean(dim=(2, 3))
        if isinstance(layer, GlobalMaxPool2d):
            return x.amax(dim=(2, 3))
        if isinstance(layer, Dropout):
            raise AssertionError("what is dropped is drawn differently")
        if isinstance(layer, Activation):
            return self.curve(layer, x, f)
        return x.flatten(1)

    def curve(self, layer, x, f):
        if layer.kind == "leaky_relu":
            return f.leaky_relu(x, layer.slope)
        if layer.kind == "softmax":
            return f.softmax(x, dim=1)
        if layer.kind == "identity":
            return x
        return getattr(f, layer.kind)(x)
