"""The packaged encoder in whole numbers of eight bits, its texts laid end to end.

Holds the quantised products and the forward pass over packed texts. Must not hold the weights' loading, the
tokenizer (`minilm`), or batching and caching (`embedding`).

Weights have one scale for each output, activations one for each token, so that a product is summed in exact
integers: a vector depends on its text alone, not on what stands beside it, and no time goes to padding. Needs
a CPU with VNNI. What costs beside the products is memory: buffers are reused, since each new
one of megabytes is a thousand page faults, and the largest of a row is `amax(abs)`, as the norm that says the
same takes longer than the product itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

DIMENSIONS, INNER = 384, 1536
_LAYERS, _HEADS, _EPSILON = 6, 12, 1e-12

# Tokens worked on at once: the buffers stay near the CPU's second cache, the calls stay few.
BLOCK = 768


def blocks(lengths: Sequence[int], size: int) -> Iterator[slice]:
    """Runs of texts of `size` tokens at most together, one text at least."""
    start = total = 0
    for place, length in enumerate(lengths):
        if place > start and total + length > size:
            yield slice(start, place)
            start, total = place, 0
        total += length
    if start < len(lengths):
        yield slice(start, len(lengths))


class _Buffers:
    """Memory for one block, used by every layer."""

    def __init__(self, tokens: int) -> None:
        import torch

        self._of: dict[str, Any] = {
            "sums": torch.empty(tokens * INNER, dtype=torch.int32),
            "whole": torch.empty(tokens * INNER, dtype=torch.int8),
            "scaled": torch.empty(tokens * INNER),
            "wide": torch.empty(tokens * INNER),
            "activated": torch.empty(tokens * INNER),
            "narrow": torch.empty(tokens * DIMENSIONS),
        }

    def of(self, name: str, rows: int, columns: int) -> Any:
        return self._of[name][: rows * columns].view(rows, columns)


class _Product:
    """One or more linear layers of the same input as one product of whole numbers."""

    def __init__(self, weights: Mapping[str, Any], names: Sequence[str]) -> None:
        import torch

        joined = torch.cat([weights[f"{name}.weight"] for name in names])
        self._bias = torch.cat([weights[f"{name}.bias"] for name in names])
        self._scale = joined.abs().amax(1).clamp_min_(1e-12) / 127
        self._whole = (joined / self._scale[:, None]).round().to(torch.int8).t().contiguous()

    def __call__(self, states: Any, buffers: _Buffers, out: str) -> Any:
        import torch

        rows, width = states.shape
        scaled = buffers.of("scaled", rows, width)
        scale = torch.amax(torch.abs(states, out=scaled), 1, keepdim=True).clamp_min_(1e-12).div_(127)
        torch.div(states, scale, out=scaled).round_()
        whole = buffers.of("whole", rows, width).copy_(scaled)
        sums = buffers.of("sums", rows, len(self._bias))
        torch.ops.aten._int_mm.out(whole, self._whole, out=sums)
        result = torch.mul(sums, scale, out=buffers.of(out, rows, len(self._bias)))
        return torch.addcmul(self._bias, result, self._scale, out=result)


class PackedMiniLM:
    """The encoder over packed texts.

    Args:
        weights: the model's weights by name, in fp32; they are not changed.
    """

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self._weights = weights
        self._products = [
            {
                "heads": _Product(
                    weights, [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
                ),
                "joined": _Product(weights, [f"{at}attention.output.dense"]),
                "wide": _Product(weights, [f"{at}intermediate.dense"]),
                "narrow": _Product(weights, [f"{at}output.dense"]),
            }
            for at in (f"encoder.layer.{layer}." for layer in range(_LAYERS))
        ]

    def vectors(self, ids: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text, of ids that are cut to the limit already."""
        import torch

        found = np.zeros((len(ids), DIMENSIONS), dtype=np.float32)
        lengths = [len(one) for one in ids]
        runs = list(blocks(lengths, BLOCK))
        if not runs:
            return found
        buffers = _Buffers(max(sum(lengths[run]) for run in runs))
        with torch.inference_mode():
            for run in runs:
                found[run] = self._block(ids[run], lengths[run], buffers).numpy()
        return found

    def _block(self, ids: Sequence[Sequence[int]], lengths: list[int], buffers: _Buffers) -> Any:
        import torch

        weights = self._weights
        pieces = torch.tensor([piece for one in ids for piece in one])
        places = torch.cat([torch.arange(length) for length in lengths])
        states = self._normed(
            weights["embeddings.word_embeddings.weight"][pieces]
            + weights["embeddings.position_embeddings.weight"][places]
            + weights["embeddings.token_type_embeddings.weight"][0],
            "embeddings",
        )
        for layer in range(_LAYERS):
            states = self._layer(states, lengths, buffers, layer)
        pooled = torch.stack([one.mean(0) for one in states.split(lengths)])
        return torch.nn.functional.normalize(pooled, dim=1)

    def _layer(self, states: Any, lengths: list[int], buffers: _Buffers, layer: int) -> Any:
        import torch

        at, products = f"encoder.layer.{layer}.", self._products[layer]
        attended = _attended(products["heads"](states, buffers, "wide"), lengths)
        joined = products["joined"](attended, buffers, "narrow").add_(states)
        states = self._normed(joined, f"{at}attention.output")
        wide = products["wide"](states, buffers, "wide")
        activated = torch.ops.aten.gelu.out(wide, out=buffers.of("activated", *wide.shape))
        return self._normed(products["narrow"](activated, buffers, "narrow").add_(states), f"{at}output")

    def _normed(self, states: Any, name: str) -> Any:
        from torch.nn.functional import layer_norm

        weight, bias = (self._weights[f"{name}.LayerNorm.{part}"] for part in ("weight", "bias"))
        return layer_norm(states, (DIMENSIONS,), weight, bias, _EPSILON)


def _attended(heads: Any, lengths: list[int]) -> Any:
    """Each text attends to itself alone; in fp32, which is faster here than bf16, as the heads are narrow."""
    import torch

    width = DIMENSIONS // _HEADS
    result = torch.empty(heads.shape[0], DIMENSIONS)
    for one, out in zip(heads.split(lengths), result.split(lengths), strict=True):
        query, key, value = one.view(1, len(one), 3, _HEADS, width).permute(2, 0, 3, 1, 4)
        found = torch.nn.functional.scaled_dot_product_attention(
            query, key, value, scale=1 / math.sqrt(width)
        )
        out.copy_(found.transpose(1, 2).reshape(len(one), DIMENSIONS))
    return result
