"""The errors of this package."""
from __future__ import annotations


class VidimusError(Exception):
    """The base class of all errors of this package."""


class ApiError(VidimusError):
    """The service refused the request. Decide by ``code``, which is stable; the message is for people."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        request_id: str | None = None,
        retry_after_seconds: int | None = None,
        help: str | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        """A published code, or ``unreadable_answer`` if the response is not from the service, for example from a proxy."""
        self.request_id = request_id
        """Identifies the request in the service's log."""
        self.retry_after_seconds = retry_after_seconds
        """When to retry, according to the service."""
        self.help = help
        """The address of this code's documentation."""


class ConnectionError(VidimusError):  # noqa: A001 -- as in the other languages
    """There was no response: not reached, connection lost, or timed out. The request may still have taken effect."""


class StillPendingError(VidimusError):
    """``wait_for_completion`` timed out. The wallet may still respond."""


class WebhookError(VidimusError):
    """A webhook that must not be trusted. ``reason`` is for programs; the message says what to check."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SealedResultError(VidimusError):
    """A sealed result that cannot be opened (``no_key``, ``damaged``, ``unsupported``, ``unusable_key``), or must not be accepted (``other_verification``)."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
