"""Knobs of judges that ask a model: which model, where, and how its answers are had.

Holds those knobs with their reasons; `params` takes the group. Computes nothing. What a server allows and charges stands in `scheduling`.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bidproof.knobs.group import Group


class AskingParams(Group):
    """Judges that ask a model: `openai`, any server with an OpenAI-compatible API, and `llama`, a GGUF file in the process. The judge by predicates heeds none."""

    url: str = Field(
        "",
        description="openai: base URL of the server, such as http://127.0.0.1:11434/v1 of Ollama, or the full one of its chat completions, as Azure's with its api-version; empty: the run stops, as nothing may be sent anywhere by default",
    )
    model: str = Field(
        "",
        description="openai: model, or on Azure the deployment, by the server's name for it; empty: the run stops",
    )
    key_env: str = Field(
        "BIDPROOF_JUDGE_KEY",
        pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$",
        description="openai: environment variable that holds the key, which is read there and nowhere kept; empty: the server asks for none",
    )
    key_header: Literal["authorization", "api-key"] = Field(
        "authorization", description="openai: header that carries the key; api-key on Azure"
    )
    schema_mode: Literal["schema", "object", "text"] = Field(
        "schema",
        description="openai: how the form of an answer is asked for: by JSON schema, as any JSON object, or by words alone; a server that refuses one is asked by the next",
    )
    timeout_seconds: float = Field(
        120.0,
        gt=0,
        le=3600,
        allow_inf_nan=False,
        description="openai: seconds until an answer must be whole; later counts as a fault of the server",
    )
    temperature: float = Field(
        0.0,
        ge=0,
        le=2,
        allow_inf_nan=False,
        description="openai: 0, so that the same question has the same answer",
    )
    seed: int = Field(0, ge=0, lt=2**31, description="Seed of the sampling, where a model samples at all")
    gguf: str = Field(
        "", description="llama: file of the model, any GGUF with a chat template; empty: the run stops"
    )
    context_tokens: int = Field(
        8192,
        ge=512,
        description="llama: tokens of prompt and answer together, never more than the model was trained for; passages that do not fit are not shown, and the verdict then goes to a person",
    )
    rationale_tokens: int = Field(
        110,
        ge=16,
        description="llama: tokens of the rationale; the quote has room for the longest sentence shown",
    )
    threads: int = Field(
        0, ge=0, description="llama: threads of the processor; 0 is as many as there are cores"
    )

    HEEDED: ClassVar[tuple[str, ...]] = (
        "url", "model", "schema_mode", "temperature", "seed", "gguf", "context_tokens", "rationale_tokens",
    )  # fmt: skip
    """Knobs that change answers, and not only how they are had."""
