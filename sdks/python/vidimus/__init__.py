"""The client for the Vidimus API: request verified claims from digital identity wallets."""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from . import models, sealing, webhooks
from ._client import OMIT, Connection, fill_path
from .errors import ApiError, ConnectionError, SealedResultError, StillPendingError, VidimusError, WebhookError
from .resources import (
    CALLS,
    ConfigResource,
    DevicesResource,
    TemplatesResource,
    UsageResource,
    VerificationsResource,
    WebhookEndpointsResource,
)

__all__ = [
    "OMIT",
    "ApiError",
    "ConnectionError",
    "SealedResultError",
    "StillPendingError",
    "Vidimus",
    "VidimusError",
    "WebhookError",
    "models",
    "sealing",
    "webhooks",
]


class Vidimus:
    """A client for a merchant's server. It can be shared between threads."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None,
        timeout: float = 30,
        retries: int = 2,
        on_warning: Callable[[str], object] | None = None,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        """
        base_url: The address of the service, for example ``https://verify.example``.
        api_key: ``vk_test_…`` or ``vk_live_…``. ``None``, as of a variable that is not set, is refused.
        timeout: The seconds that one attempt may take.
        retries: How often a request is retried when that is safe.
        on_warning: Called for each warning of a response, such as a mistake in a query that was accepted. By default it is logged.
        sleep: How to pause, in seconds.
        """
        self._connection = Connection(base_url, api_key, timeout, retries, on_warning, sleep)
        self.verifications = VerificationsResource(self._connection)
        self.templates = TemplatesResource(self._connection)
        self.devices = DevicesResource(self._connection)
        self.config = ConfigResource(self._connection)
        self.webhook_endpoints = WebhookEndpointsResource(self._connection)
        self.usage = UsageResource(self._connection)

    def call(
        self,
        operation: str,
        *params: str,
        query: dict[str, Any] | None = None,
        body: dict[str, Any] | None = None,
    ) -> Any:
        """Call an operation that manages templates, settings, trust, clients, keys or logs, by its name in the API reference.

        ``params`` fill its path. Returns the JSON of the response, or its text if that is not JSON.
        """
        if operation not in CALLS:
            raise ValueError(f"There is no operation {operation}. The API reference lists them.")
        call = CALLS[operation]
        if call.path.count("{") != len(params):
            raise ValueError(f"{operation} needs {call.path.count('{')} parameters for {call.path}.")
        return self._connection.call(
            call.method,
            fill_path(call.path, params),
            dict,
            query=query,
            body=body,
            retry=call.retry,
            accept=call.accept,
        )
