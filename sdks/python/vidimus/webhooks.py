"""Verification of webhooks."""
from __future__ import annotations

import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ._decode import decode
from .errors import WebhookError
from .models import WebhookEvent

MAX_HEADER_CHARACTERS = 1024
"""Far longer than a header with two signatures."""


def verify(
    *,
    body: str | bytes,
    headers: Mapping[str, Any],
    secret: str | Sequence[str] | None,
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookEvent:
    """Check that a webhook comes from the service, unaltered and recent, and return its event.

    Otherwise raises a ``WebhookError`` with the likely cause. An event can be delivered more than once, with the same
    ``X-Service-Event-Id``. ``body`` is the raw body, before any parsing; ``secret`` can be several during a rotation.
    """
    secrets = _require_secrets(secret)
    if not isinstance(body, (str, bytes)):
        raise WebhookError(
            "parsed_body",
            f"The body is {'missing' if body is None else 'already parsed'}. The signature covers the raw bytes: pass the body as it was received.",
        )
    raw = body.encode() if isinstance(body, str) else body
    t, candidates = _read_signature(_find_header(headers))
    age = (time.time() if now is None else now) - int(t)
    # Negated so that NaN, as tolerance or time, rejects everything.
    if not abs(age) <= tolerance:
        when = f"{age:.0f} s ago" if age > 0 else f"{-age:.0f} s in the future"
        raise WebhookError(
            "outside_tolerance",
            f"The webhook was signed {when}, which exceeds the tolerance of {tolerance:g} s. Either it is a replay, or this machine's clock is wrong.",
        )
    if not _matches(secrets, t, candidates, raw):
        raise _explain_mismatch(secrets, t, candidates, raw)
    try:
        event = json.loads(raw)
    except ValueError:
        event = None
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise WebhookError("unreadable_event", "The signature is valid, but the body is not an event: it is not a JSON object with a type.")
    decoded: WebhookEvent = decode(WebhookEvent, {**event, "raw": event})
    return decoded


def _require_secrets(secret: str | Sequence[str] | None) -> list[str]:
    secrets = [] if secret is None else [secret] if isinstance(secret, str) else list(secret)
    if secrets and all(isinstance(each, str) and re.fullmatch(r"whsec_[!-~]+", each) for each in secrets):
        return secrets
    # Usually the environment variable is not set. The message never contains the secret.
    raise WebhookError(
        "unusable_secret",
        "The secret must be the complete text starting with whsec_, without spaces or line breaks. Is the environment variable set?",
    )


def _find_header(headers: Mapping[str, Any]) -> str:
    value = next((each for name, each in headers.items() if name.lower() == "x-service-signature"), None)
    if isinstance(value, (list, tuple)):
        raise WebhookError("malformed_header", "X-Service-Signature occurs more than once.")
    if isinstance(value, str) and value != "":
        return value
    raise WebhookError(
        "missing_header",
        "The X-Service-Signature header is missing. Either this request is not from the service, or a proxy or framework removed the header.",
    )


def _read_signature(header: str) -> tuple[str, list[str]]:
    """``t=<unix seconds>,v1=<hex>[,v1=<hex>]``. ``t`` stays text, because the signature covers its exact characters."""

    def malformed(reason: str) -> WebhookError:
        return WebhookError(
            "malformed_header",
            f"X-Service-Signature is malformed: {reason}. It should be t=<unix seconds>,v1=<64 hex digits>.",
        )

    if len(header) > MAX_HEADER_CHARACTERS:
        raise malformed(f"it has {len(header)} characters")
    items = [re.fullmatch(r"([a-z][a-z0-9]*)=([!-~]+)", item) for item in header.split(",")]
    pairs = [(item[1], item[2]) for item in items if item is not None]
    if len(pairs) < len(items):
        raise malformed("it is not a list of name=value pairs")
    times = [value for name, value in pairs if name == "t"]
    if len(times) != 1:
        raise malformed("it has no t" if not times else "it has more than one t")
    if re.fullmatch(r"[0-9]{1,12}", times[0]) is None:
        raise malformed("its t is not a number of seconds")
    candidates = [value for name, value in pairs if name == "v1"]
    if not candidates:
        raise malformed("it has no v1")
    return times[0], [value for value in candidates if re.fullmatch(r"[0-9a-f]{64}", value)]


def _matches(secrets: list[str], t: str, candidates: list[str], body: bytes) -> bool:
    """Compares every secret with every candidate in constant time, without stopping at the first match."""
    matches = False
    for secret in secrets:
        mac = hmac.new(secret.encode(), f"{t}.".encode() + body, hashlib.sha256).hexdigest()
        for candidate in candidates:
            matches = hmac.compare_digest(mac, candidate) or matches
    return matches


def _explain_mismatch(secrets: list[str], t: str, candidates: list[str], body: bytes) -> WebhookError:
    """The service sends compact JSON. A body that is JSON but not compact was parsed and serialised again on the way."""
    try:
        compact = json.dumps(json.loads(body), separators=(",", ":"), ensure_ascii=False).encode()
    except ValueError:
        compact = body
    if compact != body:
        confirmed = _matches(secrets, t, candidates, compact)
        return WebhookError(
            "reserialised_body",
            f"The signature {'matches the compact form of this body' if confirmed else 'does not match, and this body is not compact JSON as the service sends it'}: it looks re-serialised. Pass the raw bytes, read before any JSON middleware.",
        )
    return WebhookError(
        "wrong_signature",
        "The signature matches none of the secrets. Is it the complete secret of this tenant, including whsec_? More than 24 hours after a rotation, only the new secret works. Otherwise the body was altered, or parsed and serialised again.",
    )
