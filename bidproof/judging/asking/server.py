"""One POST to a server with an OpenAI-compatible API, and what came of it.

Belongs here: HTTP, the key, what a server refuses to know. Sends once and retries nothing: when to send again is the
scheduler's to say. Does not belong here: the words of a prompt, the reading of an answer.
"""

from __future__ import annotations

import hashlib
import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from bidproof.errors import BadInputError
from bidproof.judging.scheduling.requests import Kind, Outcome
from bidproof.knobs.asking import AskingParams

if TYPE_CHECKING:
    import httpx2

MAX_BYTES = 8_000_000
_CHAT = "/chat/completions"
DECLINED = "the model declines"
Mode = Literal["schema", "object", "text"]
_MODES: tuple[Mode, ...] = ("schema", "object", "text")
_Way = tuple[Mode, str, set[str]]  # form, name of the length, sampling that is not sent
_PUBLIC = {"api-version", "api_version", "version", "deployment"}
_SAMPLING = ("temperature", "seed")
_UNKNOWN = re.compile(
    r"unsupported|not supported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|invalid|extra inputs"
)


class Key:
    """The secret, which shows itself nowhere but in the header of a request."""

    __slots__ = ("_value",)

    def __init__(self, value: str) -> None:
        self._value = value

    def __repr__(self) -> str:
        return "Key(set)" if self._value else "Key(none)"

    @property
    def digest(self) -> str:
        """Tells keys apart without telling any."""
        return hashlib.sha256(self._value.encode()).hexdigest()[:8]

    def header(self, name: str) -> dict[str, str]:
        """The header that carries it; none without a key."""
        if not self._value:
            return {}
        return {"api-key": self._value} if name == "api-key" else {"Authorization": f"Bearer {self._value}"}

    def hidden_in(self, text: str) -> str:
        """The text without the key: servers repeat it in their errors."""
        return text.replace(self._value, "…") if self._value else text


@dataclass(frozen=True)
class Address:
    """Where questions are sent.

    Attributes:
        url: of the chat completions.
        model: name of the model.
        key: the secret.
        key_header: header that carries it.
    """

    url: str
    model: str
    key: Key
    key_header: str = "authorization"

    @property
    def account(self) -> str:
        """What a server's limits hang on: where it is, the model, and whose key, by its digest."""
        return f"{self.url} {self.model} {self.key.digest}"

    @property
    def host(self) -> str:
        """Server, for messages."""
        return urlsplit(self.url).netloc

    @classmethod
    def of(cls, params: AskingParams, environment: Mapping[str, str]) -> Address:
        """The address that the parameters name, with the key from the environment.

        Raises:
            BadInputError: no server, no model, or no key where one is named: nothing is asked on defaults.
        """
        if not params.url.strip():
            raise BadInputError(
                "asking.url", "is empty, so the judge openai has no server to ask", "set the URL of one"
            )
        if not params.model.strip():
            raise BadInputError(
                "asking.model",
                "is empty, so the judge openai has no model to ask",
                "name one of the server's",
            )
        key = environment.get(params.key_env, "").strip() if params.key_env else ""
        if params.key_env and not key:
            raise BadInputError(
                f"environment variable {params.key_env}",
                "holds no key for the judge openai",
                "set it, or set asking.key_env to '' where the server asks for none",
            )
        if not key.isascii() or not key.isprintable():
            raise BadInputError(
                f"environment variable {params.key_env}", "holds no key but other text", "set the key alone"
            )
        return cls(chat_url(params.url.strip()), params.model.strip(), Key(key), params.key_header)


def chat_url(url: str) -> str:
    """URL of the chat completions below a base URL; a full one stays as it is, with its query.

    Raises:
        BadInputError: it is no web address, or holds a secret, which would be kept with the parameters.
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        raise BadInputError("asking.url", "is no URL", "write it as https://host/v1") from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInputError("asking.url", "is no http or https URL", "write it as https://host/v1")
    if parts.username or parts.password:
        raise BadInputError(
            "asking.url", "holds a user or password", "set the key in the environment instead"
        )
    if hidden := [
        name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if name.lower() not in _PUBLIC
    ]:
        raise BadInputError(
            "asking.url",
            f"has {hidden[0]} in its query",
            "set keys in the environment; only api-version may stand there",
        )
    path = parts.path.rstrip("/")
    path = path if path.endswith(_CHAT) else path + _CHAT
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


class ChatServer:
    """Sends prompts to one address. Safe to use from several threads.

    What a server does not know, it says in a 400 that names it: then the next simpler way is used for the rest of the run.
    """

    def __init__(self, address: Address, params: AskingParams) -> None:
        """A server that has not been asked anything."""
        self.address, self._params = address, params
        self._lock = threading.Lock()
        self._mode: Mode = params.schema_mode
        self._dropped: set[str] = set()
        self._length = "max_tokens"
        self._client: httpx2.Client | None = None

    def _open(self) -> httpx2.Client:
        import httpx2

        with self._lock:
            if self._client is None:
                self._client = httpx2.Client(timeout=self._params.timeout_seconds, follow_redirects=False)
            return self._client

    def close(self) -> None:
        """Let go of connections."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def ask(
        self, messages: Sequence[Mapping[str, str]], schema: Mapping[str, Any], max_tokens: int
    ) -> Outcome:
        """What came of one request; `answer` is the text.

        Raises:
            BadInputError: the server refuses the key, or knows no such model or path: no further request can succeed.
        """
        import httpx2

        with self._lock:
            mode, length, dropped = self._mode, self._length, set(self._dropped)
        body = self._body(messages, schema, max_tokens, mode, length, dropped)
        headers = {**self.address.key.header(self.address.key_header), "Accept": "application/json"}
        try:
            status, replied, content = self._post(body, headers)
        except httpx2.TimeoutException:
            return Outcome(Kind.SERVER_ERROR, note=f"no answer in {self._params.timeout_seconds:g} s")
        except (httpx2.UnsupportedProtocol, httpx2.LocalProtocolError, httpx2.InvalidURL) as error:
            raise BadInputError(
                "asking.url", f"cannot be asked ({self._line(str(error))})", "check the URL"
            ) from None
        except httpx2.TransportError as error:
            return Outcome(Kind.SERVER_ERROR, note=self._line(f"{type(error).__name__}: {error}"))
        if status == 200:
            return self._read(content)
        return self._refused(status, replied, content, (mode, length, dropped))

    def _body(
        self,
        messages: Sequence[Mapping[str, str]],
        schema: Mapping[str, Any],
        max_tokens: int,
        mode: Mode,
        length: str,
        dropped: set[str],
    ) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.address.model, "messages": list(messages), length: max_tokens}
        sampling = {"temperature": self._params.temperature, "seed": self._params.seed}
        body.update({name: value for name, value in sampling.items() if name not in dropped})
        if mode == "schema":
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answers", "strict": True, "schema": dict(schema)},
            }
        elif mode == "object":
            body["response_format"] = {"type": "json_object"}
        return body

    def _post(
        self, body: Mapping[str, Any], headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Status, headers and body. The whole answer must be there in time, not just its next bytes."""
        import httpx2

        client = self._open()
        until = time.monotonic() + self._params.timeout_seconds
        content = bytearray()
        with client.stream("POST", self.address.url, json=body, headers=dict(headers)) as response:
            for block in response.iter_bytes():
                content += block
                if time.monotonic() > until:
                    raise httpx2.ReadTimeout("too slow")
                if len(content) > MAX_BYTES:
                    raise httpx2.ReadError(f"the answer is longer than {MAX_BYTES} bytes")
            return response.status_code, response.headers, bytes(content)

    def _read(self, content: bytes) -> Outcome:
        """The text of an answer that came with status 200."""
        try:
            data = json.loads(content)
            choice = data["choices"][0]
            message = choice.get("message") or {}
            text, refusal, ended = message.get("content"), message.get("refusal"), choice.get("finish_reason")
            usage = data.get("usage") or {}
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            # A gateway's page or a broken stream: another attempt may come through.
            return Outcome(Kind.SERVER_ERROR, note="the answer is no chat completion")
        if isinstance(text, list):
            text = "".join(str(part.get("text", "")) for part in text if isinstance(part, dict))
        used = (_count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))
        if ended == "content_filter" or (refusal and not text):
            said = self._line(str(refusal or "its content filter"))
            return Outcome(Kind.REJECTED, *used, note=f"{DECLINED}: {said}")
        kind = Kind.TRUNCATED if ended == "length" else Kind.OK
        # Half a surrogate pair, escaped in JSON, is no text that can be kept.
        whole = text.encode("utf-8", "replace").decode("utf-8") if isinstance(text, str) else ""
        return Outcome(kind, *used, answer=whole)

    def _refused(
        self,
        status: int,
        headers: Mapping[str, str],
        content: bytes,
        sent: _Way,
    ) -> Outcome:
        said = self._said(content)
        note = f"status {status}" + (f": {said}" if said else "")
        wait = retry_after(headers)
        if status == 429 or (status == 503 and wait is not None):
            return Outcome(Kind.RETRY_AFTER, retry_after=wait, note=note)
        if status >= 500 or status in (408, 409, 425):
            return Outcome(Kind.SERVER_ERROR, retry_after=wait, note=note)
        variable = f"${self._params.key_env}" if self._params.key_env else "asking.key_env"
        if status in (401, 403):
            raise BadInputError(
                self.address.host, f"refuses the key ({note})", f"check {variable} and asking.key_header"
            )
        if status in (404, 405) or 300 <= status < 400:
            raise BadInputError(
                self.address.host, f"has no such model or path ({note})", "check asking.url and asking.model"
            )
        if status in (400, 422) and self._simpler(said.lower(), sent):
            return Outcome(Kind.RETRY_AFTER, retry_after=0.0, note=f"asked again in a simpler way ({note})")
        return Outcome(Kind.REJECTED, note=note)

    def _simpler(self, said: str, sent: _Way) -> bool:
        """Take up the next simpler way of asking, where the refusal names what was not understood."""
        mode, length, dropped = sent
        unknown = bool(_UNKNOWN.search(said))
        with self._lock:
            if "max_completion_tokens" in said and length == "max_tokens":
                self._length = "max_completion_tokens"
                return True
            for name in _SAMPLING:
                if name not in dropped and (
                    f"'{name}'" in said or f'"{name}' in said or (unknown and f"{name}" in said)
                ):
                    self._dropped.add(name)
                    return True
            about_form = any(word in said for word in ("response_format", "json_schema", "json_object"))
            about_form |= unknown and any(word in said for word in ("guided", "grammar"))
            if about_form and mode != "text":
                # Another thread may have been told the same meanwhile.
                self._mode = _MODES[max(_MODES.index(self._mode), _MODES.index(mode) + 1)]
                return True
        return False

    def _said(self, content: bytes) -> str:
        """A server's own words on what is wrong, on one short line without the key."""
        text = content[:20_000].decode("utf-8", "replace")
        try:
            data = json.loads(text)
            error = data.get("error", data) if isinstance(data, dict) else data
            text = str(error.get("message", error) if isinstance(error, dict) else error)
        except (ValueError, RecursionError):
            pass
        return self._line(text)

    def _line(self, text: str) -> str:
        hidden = self.address.key.hidden_in(text)
        return " ".join("".join(char if char.isprintable() else " " for char in hidden).split())[:200]


def _count(usage: Mapping[str, Any], name: str) -> int | None:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait: a number, or a date by this machine's clock; None where it does not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if not text:
            continue
        try:
            seconds = float(text) * unit
        except ValueError:
            try:
                at = parsedate_to_datetime(text)
            except ValueError:
                continue
            at = at if at.tzinfo else at.replace(tzinfo=UTC)
            seconds = (at - datetime.now(UTC)).total_seconds()
        if seconds == seconds and seconds != float("inf"):
            return max(0.0, seconds)
    return None
