"""The connection that all requests go through: time-outs, retries and errors."""
from __future__ import annotations

import http.client
import json
import logging
import random
import re
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

from ._decode import decode
from .errors import ApiError, ConnectionError, StillPendingError

if TYPE_CHECKING:
    from .models import Verification, VerificationStatus

T = TypeVar("T")

FIRST_PAUSE_SECONDS = 0.5
MAX_PAUSE_SECONDS = 30
MAX_WAIT_SECONDS = 3660
"""A verification lives for at most an hour; one minute more allows for clock skew."""


class Omit:
    """The type of ``OMIT``."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = Omit()
"""A member that is not sent, where ``None`` has a meaning."""


@dataclass(frozen=True)
class Call:
    """How an operation is requested."""

    method: str
    path: str
    retry: str
    accept: str = "application/json"


def new_key() -> str:
    return str(uuid.uuid4())


class Connection:
    def __init__(
        self,
        base_url: str,
        api_key: str | None,
        timeout: float,
        retries: int,
        on_warning: Callable[[str], object] | None,
        sleep: Callable[[float], object],
    ) -> None:
        if api_key is None or re.fullmatch(r"vk_(?:test|live)_[!-~]+", api_key) is None:
            raise ValueError(
                "api_key must start with vk_test_ or vk_live_ and have no spaces or line breaks. Is the environment variable set?"
            )
        url = urlsplit(base_url)
        if url.scheme not in ("http", "https") or not url.netloc:
            raise ValueError("base_url must be an http or https URL, such as https://verify.example.")
        self.base_url = f"{url.scheme}://{url.netloc}{url.path.rstrip('/')}"
        self.sleep = sleep
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._on_warning = on_warning or _log_warning
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(
        self,
        method: str,
        path: str,
        result: type[T],
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        headers: dict[str, str | None] | None = None,
        idempotency_key: str | None = None,
        retry: str = "unless_lost",
        accept: str = "application/json",
        public: bool = False,
    ) -> T:
        """``retry``: ``always`` if the request is idempotent; ``unless_lost`` only if a response says that it had no effect."""
        sent = {"Accept": accept, "Idempotency-Key": idempotency_key, **(headers or {})}
        if not public:
            sent["Authorization"] = f"Bearer {self._api_key}"
        if body is not None:
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(
            self.base_url + path + _query_string(query or {}),
            method=method,
            headers={name: value for name, value in sent.items() if value is not None},
            data=None if body is None else json.dumps(body).encode(),
        )
        for attempt in range(self._retries + 1):
            try:
                value, received = self._call_once(request, accept)
                break
            except (ApiError, ConnectionError) as error:
                pause = _retry_delay(error, retry, attempt)
                if attempt == self._retries or pause is None:
                    raise
                self.sleep(pause)
        for warning in (received.get("X-Service-Warning") or "").split("; "):
            if warning:
                self._on_warning(warning)
        page = re.search(r'<([^>]+)>;\s*rel="alternate"', received.get("Link") or "")
        if page is not None and isinstance(value, dict):
            value = {**value, "page_url": page[1]}
        decoded: T = decode(result, value)
        return decoded

    def _call_once(self, request: urllib.request.Request, accept: str) -> tuple[Any, http.client.HTTPMessage]:
        deadline = time.monotonic() + self._timeout
        try:
            try:
                response = self._opener.open(request, timeout=self._timeout)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                status, headers = response.status, response.headers
                text = _read_body(response, deadline)
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            told = f"no response within {self._timeout:g} s" if isinstance(reason, TimeoutError) else str(reason) or type(reason).__name__
            raise ConnectionError(f"{request.get_method()} {request.full_url.split('?')[0]}: {told}") from error
        if 200 <= status < 300:
            if accept != "application/json" and (headers.get("Content-Type") or "").startswith(accept):
                return text.decode(), headers
            value = _parse_json(text)
            if value is not None:
                return value, headers
        raise _to_api_error(status, headers, _parse_json(text))


class Resource:
    """A group of methods."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._call = connection.call

    @staticmethod
    def _path(path: str, *params: str) -> str:
        return fill_path(path, params)

    @staticmethod
    def _pages(limit: int, before: str | None, fetch: Callable[[str | None], Any]) -> Iterator[Any]:
        while True:
            page = fetch(before)
            yield from page.data
            # A filtered page may be short; only `next_before` says whether more follow.
            before = page.next_before or (page.data[-1].created_at if page.data and len(page.data) >= limit else None)
            if before is None:
                return


class WaitingResource(Resource):
    """What verifications have besides the operations of the contract."""

    def status(self, id: str) -> VerificationStatus:
        raise NotImplementedError

    def retrieve(self, id: str) -> Verification:
        raise NotImplementedError

    def page_url(self, verification: Verification) -> str:
        """The address of the page on which the holder continues with their wallet."""
        if not verification.id:
            raise ValueError("The verification id is empty.")
        return verification.page_url or f"{self._connection.base_url}/verify/{quote(verification.id, safe='')}"

    def wait_for_completion(self, id: str, *, timeout: float = MAX_WAIT_SECONDS, interval: float = 1) -> Verification:
        """Wait until the verification is ``completed``, ``failed`` or ``expired``, and return it."""
        deadline = time.monotonic() + timeout
        while self.status(id).status == "pending":
            left = deadline - time.monotonic()
            if left <= 0:
                raise StillPendingError(f"The verification is still pending after {timeout:g} s.")
            self._connection.sleep(min(interval, left))
        return self.retrieve(id)


def fill_path(path: str, params: tuple[str, ...]) -> str:
    """The ids cannot change the path."""
    for value in params:
        if not isinstance(value, str) or value == "":
            raise ValueError("The id is empty.")
        path = re.sub(r"\{\w+\}", lambda _: quote(value, safe=""), path, count=1)
    return path


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _read_body(response: Any, deadline: float) -> bytes:
    chunks = []
    while chunk := response.read1(65536):
        chunks.append(chunk)
        if time.monotonic() > deadline:
            raise TimeoutError
    if getattr(response, "length", None):
        raise http.client.IncompleteRead(b"".join(chunks))
    return b"".join(chunks)


def _retry_delay(error: ApiError | ConnectionError, retry: str, attempt: int) -> float | None:
    """The pause before the next attempt; ``None`` if the request must not be retried, or only much later."""
    backoff = FIRST_PAUSE_SECONDS * 2**attempt
    jittered = backoff / 2 + random.random() * (backoff / 2)
    if isinstance(error, ConnectionError):
        return jittered if retry == "always" else None
    if not _is_transient(error, retry):
        return None
    after = error.retry_after_seconds or 0
    return None if after > MAX_PAUSE_SECONDS else max(after, jittered)


def _is_transient(error: ApiError, retry: str) -> bool:
    """A 429 means that the request had no effect; after a 5xx it may have had one."""
    if error.status == 429:
        return error.code != "quota_exceeded"
    return retry == "always" and (error.status >= 500 or error.code == "idempotency_key_in_flight")


def _to_api_error(status: int, headers: http.client.HTTPMessage, body: Any) -> ApiError:
    envelope = body.get("error") if isinstance(body, dict) else None
    code = envelope.get("code") if isinstance(envelope, dict) else None
    message = envelope.get("message") if isinstance(envelope, dict) else None
    if not isinstance(code, str) or not isinstance(message, str):
        code = "unreadable_answer"
        message = f"The response with status {status} is not from the service. Check base_url, and whether a proxy responded instead."
    after = headers.get("Retry-After") or ""
    help = re.search(r'<([^>]+)>;\s*rel="help"', headers.get("Link") or "")
    return ApiError(
        message,
        status=status,
        code=code,
        request_id=headers.get("X-Request-Id"),
        retry_after_seconds=int(after) if re.fullmatch(r"[0-9]{1,9}", after) else None,
        help=help[1] if help else None,
    )


def _parse_json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None  # Not JSON: the caller reports the status.


def present(body: dict[str, Any], nullable: dict[str, Any] | None = None) -> dict[str, Any]:
    """Without the members that were not given. For those of ``nullable``, ``None`` is a value."""
    given = {name: value for name, value in body.items() if value is not None}
    return {**given, **{name: value for name, value in (nullable or {}).items() if value is not OMIT}}


def _query_string(query: dict[str, Any]) -> str:
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, dict):
            pairs += [(f"{name}[{key}]", str(each)) for key, each in value.items()]
        elif value is not None:
            pairs.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    return f"?{urlencode(pairs)}" if pairs else ""


def _log_warning(warning: str) -> None:
    logging.getLogger("vidimus").warning(warning)
