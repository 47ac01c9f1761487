# Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._client import OMIT, Call, Omit, Resource, WaitingResource, new_key, present
from .models import (
    AppliedConfig, Device, DeviceList, Erasure, PhotoComparison, RegisteredDevice, UsableTemplateList, Usage,
    Verification, VerificationList, VerificationStatus, WebhookEndpoint, WebhookEndpointList,
    WebhookEndpointSecret,
)

class VerificationsResource(WaitingResource):
    """Requests verifications and reads their results."""

    def create(
        self, *, template: str | None = None, parameters: dict[str, Any] | None = None,
        expected: dict[str, str] | None = None, query: dict[str, Any] | None = None,
        webhook_url: str | None = None, redirect_url: str | None = None, ttl_seconds: int | None = None,
        max_attempts: int | None = None, alternative_url: str | None = None,
        metadata: dict[str, str] | None = None, purpose: str | None = None, strict: bool | None = None,
        idempotency_key: str | None = None,
    ) -> Verification:
        """Create a verification.

        template: The key of a built-in template or one of your own.
        parameters: Values for the parameters of the template, such as the age of `age_over`. Those that it gives a default may be left out. `GET /v1/templates` lists them.
        expected: What you expect of the claims that the template compares. The result says yes or no for each, never the claim. Kept encrypted, only while the verification is pending.
        query: A DCQL query (OpenID4VP 1.0) of at most 32768 characters as JSON.
        webhook_url: Where the result is posted. Must be a public address. Use https; http is accepted with a warning.
        redirect_url: Where the holder is sent after responding, with a one-time code to redeem in the fragment. Must not have a fragment itself. An app has a scheme with its domain name, such as `com.shop.app:/return`.
        ttl_seconds: How long a wallet can respond, in seconds.
        max_attempts: How many responses may fail before the verification does. By default what your policies say, at first 1.
        alternative_url: Where a holder without a wallet can proceed. The page offers it as another way to verify.
        metadata: At most 50 members. Names and values together have at most 8192 bytes as UTF-8.
        purpose: The reason, as the holder is told.
        strict: Whether a `query` that violates DCQL is 400 instead of 201 with a warning. By default what your policies say, at first `false`.
        idempotency_key: 1-255 printable ASCII characters without spaces. The same key and body within 24 hours return the first response again.
        """
        return self._call(
            "POST", "/v1/verifications", Verification,
            body=present({
                "template": template, "parameters": parameters, "expected": expected, "query": query,
                "webhook_url": webhook_url, "redirect_url": redirect_url, "ttl_seconds": ttl_seconds,
                "max_attempts": max_attempts, "alternative_url": alternative_url, "metadata": metadata,
                "purpose": purpose,
            }),
            query={"strict": strict}, idempotency_key=idempotency_key or new_key(), retry="always",
        )

    def retrieve(self, id: str) -> Verification:
        """Get a verification."""
        return self._call("GET", self._path("/v1/verifications/{id}", id), Verification, retry="always")

    def list(
        self, *, limit: int | None = None, before: str | None = None, status: str | None = None,
        template: str | None = None, created_after: str | None = None, created_before: str | None = None,
        metadata: dict[str, str] | None = None,
    ) -> VerificationList:
        """List verifications, newest first.

        limit: The maximum number of verifications.
        before: Only verifications created before this time: the last `created_at` of the previous page.
        status: Only verifications with this status now.
        template: Only verifications that were created with this template.
        created_after: Only verifications created after this time.
        created_before: Only verifications created before this time. Unlike `before`, it stays the same for every page.
        metadata: Only verifications with these names and values in their metadata, whenever they were created: `metadata[order]=A-1001`. Names and values match exactly, and all of them must.
        """
        return self._call(
            "GET", "/v1/verifications", VerificationList,
            query={
                "limit": limit, "before": before, "status": status, "template": template,
                "created_after": created_after, "created_before": created_before, "metadata": metadata,
            },
            retry="always",
        )

    def list_all(
        self, *, limit: int = 100, before: str | None = None, status: str | None = None,
        template: str | None = None, created_after: str | None = None, created_before: str | None = None,
        metadata: dict[str, str] | None = None,
    ) -> Iterator[Verification]:
        """Iterate over all pages, newest first. What is created in the meantime causes no gaps or duplicates."""
        return self._pages(limit, before, lambda next: self.list(
            limit=limit, before=next, status=status, template=template, created_after=created_after,
            created_before=created_before, metadata=metadata,
        ))

    def cancel(self, id: str) -> Verification:
        """Cancel a verification that no wallet has responded to."""
        return self._call(
            "POST", self._path("/v1/verifications/{id}/cancel", id), Verification, retry="always",
        )

    def compare(self, id: str, *, same_person: bool) -> PhotoComparison:
        """Record whether the photo of a completed verification shows the person who is present.

        same_person: Whether the photo shows the person who is present.
        """
        return self._call(
            "POST", self._path("/v1/verifications/{id}/comparison", id), PhotoComparison,
            body=present({"same_person": same_person}), retry="always",
        )

    def redeem(self, id: str, *, response_code: str) -> Verification:
        """Redeem a response code (works once).

        response_code: From the fragment of the redirect, `#response_code=…`. Works once.
        """
        return self._call(
            "POST", self._path("/v1/verifications/{id}/redeem", id), Verification,
            body=present({"response_code": response_code}), retry="unless_lost",
        )

    def delete(self, id: str) -> Erasure:
        """Permanently erase a verification and everything derived from it."""
        return self._call("DELETE", self._path("/v1/verifications/{id}", id), Erasure, retry="always")

    def status(self, id: str) -> VerificationStatus:
        """Get the status (no key needed)."""
        return self._call(
            "GET", self._path("/v1/verifications/{id}/status", id), VerificationStatus, retry="always",
            public=True,
        )


class TemplatesResource(Resource):
    """What a verification can ask for."""

    def list(self) -> UsableTemplateList:
        """List the templates that this key can use."""
        return self._call("GET", "/v1/templates", UsableTemplateList, retry="always")


class DevicesResource(Resource):
    """Tills and tablets that create verifications with their own tokens."""

    def create(
        self, *, name: str, allowed_templates: Sequence[str], pairing_ttl_seconds: int | None = None,
    ) -> RegisteredDevice:
        """Register a device and get a pairing code.

        name: How you recognise the device.
        allowed_templates: The keys of the templates that it may use. Each must exist.
        pairing_ttl_seconds: How long the pairing code works, in seconds.
        """
        return self._call(
            "POST", "/v1/devices", RegisteredDevice,
            body=present({
                "name": name, "allowed_templates": allowed_templates,
                "pairing_ttl_seconds": pairing_ttl_seconds,
            }),
            retry="unless_lost",
        )

    def list(self) -> DeviceList:
        """List devices, newest first."""
        return self._call("GET", "/v1/devices", DeviceList, retry="always")

    def update(
        self, id: str, *, name: str | None = None, allowed_templates: Sequence[str] | None = None,
        pin: str | None | Omit = OMIT, keep_awake: bool | None = None, purpose: str | None | Omit = OMIT,
    ) -> Device:
        """Rename a device or change its templates.

        name: How you recognise the device.
        allowed_templates: The keys of the templates that it may use. Each must exist.
        pin: What protects the end of a shift and the settings of the till. `null` removes it. It is never shown.
        keep_awake: Whether the screen stays on between checks.
        purpose: Why the till asks, as its customers read it. `null` removes it.
        """
        return self._call(
            "PATCH", self._path("/v1/devices/{id}", id), Device,
            body=present({"name": name, "allowed_templates": allowed_templates, "keep_awake": keep_awake}, {"pin": pin, "purpose": purpose}),
            retry="always",
        )

    def renew_pairing_code(self, id: str, *, pairing_ttl_seconds: int | None = None) -> RegisteredDevice:
        """Create a new pairing code for a device that must be paired again.

        pairing_ttl_seconds: How long the pairing code works, in seconds.
        """
        return self._call(
            "POST", self._path("/v1/devices/{id}/pairing-code", id), RegisteredDevice,
            body=present({"pairing_ttl_seconds": pairing_ttl_seconds}), retry="always",
        )

    def revoke(self, id: str) -> Device:
        """Revoke a device and all of its tokens."""
        return self._call("DELETE", self._path("/v1/devices/{id}", id), Device, retry="always")


class ConfigResource(Resource):
    """The whole configuration as one document."""

    def export(self) -> dict[str, Any]:
        """Export the configuration."""
        return self._call("GET", "/v1/config", dict, retry="always")

    def apply(
        self, document: dict[str, Any], *, dry_run: bool | None = None, prune: bool | None = None,
        if_match: str | None = None,
    ) -> AppliedConfig:
        """Apply a configuration.

        dry_run: Plans and checks, and changes nothing.
        prune: Deletes what the parts of the document do not name.
        if_match: The `ETag` of the configuration that you expect. If it has changed, nothing is applied.
        """
        return self._call(
            "PUT", "/v1/config", AppliedConfig, body=document, query={"dry_run": dry_run, "prune": prune},
            headers={"If-Match": if_match}, retry="always" if dry_run else "unless_lost",
        )


class WebhookEndpointsResource(Resource):
    """Receivers for the events of all verifications."""

    def create(
        self, *, url: str, events: Sequence[str], description: str | None = None, enabled: bool | None = None,
    ) -> WebhookEndpointSecret:
        """Create a webhook endpoint.

        url: Where to send events. http or https, on a public address, without user name or password.
        events: The events that it gets.
        description: A note for yourself.
        enabled: Whether to send events to it from now on.
        """
        return self._call(
            "POST", "/v1/webhook_endpoints", WebhookEndpointSecret,
            body=present({"url": url, "events": events, "description": description, "enabled": enabled}),
            retry="unless_lost",
        )

    def list(self) -> WebhookEndpointList:
        """List webhook endpoints, newest first."""
        return self._call("GET", "/v1/webhook_endpoints", WebhookEndpointList, retry="always")

    def retrieve(self, id: str) -> WebhookEndpoint:
        """Get a webhook endpoint."""
        return self._call(
            "GET", self._path("/v1/webhook_endpoints/{id}", id), WebhookEndpoint, retry="always",
        )

    def update(
        self, id: str, *, url: str | None = None, events: Sequence[str] | None = None,
        description: str | None = None, enabled: bool | None = None,
    ) -> WebhookEndpoint:
        """Change, disable or enable a webhook endpoint.

        url: Where to send events from now on, also those that are being retried.
        events: The events that it gets from now on.
        description: A note for yourself.
        enabled: False stops everything that is sent to it. True starts again, whyever it was disabled.
        """
        return self._call(
            "PATCH", self._path("/v1/webhook_endpoints/{id}", id), WebhookEndpoint,
            body=present({"url": url, "events": events, "description": description, "enabled": enabled}),
            retry="always",
        )

    def delete(self, id: str) -> WebhookEndpoint:
        """Delete a webhook endpoint; what is waiting for it is not sent."""
        return self._call(
            "DELETE", self._path("/v1/webhook_endpoints/{id}", id), WebhookEndpoint, retry="unless_lost",
        )

    def rotate_secret(self, id: str) -> WebhookEndpointSecret:
        """Give a webhook endpoint a new secret; both secrets sign for 24 hours."""
        return self._call(
            "POST", self._path("/v1/webhook_endpoints/{id}/rotate_secret", id), WebhookEndpointSecret,
            retry="unless_lost",
        )


class UsageResource(Resource):
    """The daily quota and usage."""

    def retrieve(self) -> Usage:
        """Get the daily usage."""
        return self._call("GET", "/v1/usage", Usage, retry="always")


CALLS: dict[str, Call] = {
    "getTemplate": Call("GET", "/v1/templates/{key}", "always"),
    "putTemplate": Call("PUT", "/v1/templates/{key}", "always"),
    "deleteTemplate": Call("DELETE", "/v1/templates/{key}", "unless_lost"),
    "lintTemplate": Call("POST", "/v1/templates/lint", "unless_lost"),
    "tryTemplate": Call("POST", "/v1/templates/try", "unless_lost"),
    "assignRegistration": Call("PUT", "/v1/templates/{key}/registration", "always"),
    "getSettings": Call("GET", "/v1/settings", "always"),
    "changeBrand": Call("PUT", "/v1/settings/brand", "always"),
    "changePolicies": Call("PATCH", "/v1/settings/policies", "always"),
    "changeHolderPage": Call("PATCH", "/v1/settings/holder_page", "always"),
    "changeRequestLog": Call("PUT", "/v1/settings/request_log", "always"),
    "changeTrustPolicy": Call("PUT", "/v1/settings/trust_policy", "always"),
    "changeIdentity": Call("PUT", "/v1/settings/identity", "always"),
    "changeEcosystemIdentity": Call("PUT", "/v1/settings/identities/{ecosystem}", "always"),
    "listServiceAnchors": Call("GET", "/v1/trust_anchors", "always"),
    "addAnchors": Call("POST", "/v1/trust_anchors", "unless_lost"),
    "removeAnchor": Call("DELETE", "/v1/trust_anchors/{fingerprint}", "unless_lost"),
    "listRegistrations": Call("GET", "/v1/registrations", "always"),
    "addRegistration": Call("POST", "/v1/registrations", "unless_lost"),
    "getRegistration": Call("GET", "/v1/registrations/{id}", "always"),
    "changeRegistration": Call("PATCH", "/v1/registrations/{id}", "always"),
    "removeRegistration": Call("DELETE", "/v1/registrations/{id}", "unless_lost"),
    "checkRegistration": Call("POST", "/v1/registrations/{id}/check", "unless_lost"),
    "changeRegistrationSettings": Call("PATCH", "/v1/registrations/settings", "always"),
    "listOpenIdClients": Call("GET", "/v1/openid_clients", "always"),
    "createOpenIdClient": Call("POST", "/v1/openid_clients", "unless_lost"),
    "changeOpenIdClient": Call("PATCH", "/v1/openid_clients/{id}", "always"),
    "deleteOpenIdClient": Call("DELETE", "/v1/openid_clients/{id}", "unless_lost"),
    "rollOpenIdClientSecret": Call("POST", "/v1/openid_clients/{id}/roll_secret", "unless_lost"),
    "listLinks": Call("GET", "/v1/verification_links", "always"),
    "createLink": Call("POST", "/v1/verification_links", "unless_lost"),
    "getLink": Call("GET", "/v1/verification_links/{id}", "always"),
    "changeLink": Call("PATCH", "/v1/verification_links/{id}", "always"),
    "deleteLink": Call("DELETE", "/v1/verification_links/{id}", "unless_lost"),
    "listSealingKeys": Call("GET", "/v1/sealing_keys", "always"),
    "registerSealingKey": Call("POST", "/v1/sealing_keys", "unless_lost"),
    "activateSealingKey": Call("POST", "/v1/sealing_keys/{kid}/activate", "unless_lost"),
    "retireSealingKey": Call("DELETE", "/v1/sealing_keys/{kid}", "unless_lost"),
    "listErasureRequests": Call("GET", "/v1/erasure_requests", "always"),
    "refuseErasureRequest": Call("POST", "/v1/erasure_requests/{id}/refuse", "unless_lost"),
    "getReceipt": Call("GET", "/v1/verifications/{id}/receipt", "always"),
    "listReceipts": Call("GET", "/v1/receipts", "always"),
    "getReport": Call("GET", "/v1/report", "always"),
    "listKeys": Call("GET", "/v1/api_keys", "always"),
    "createKey": Call("POST", "/v1/api_keys", "unless_lost"),
    "revokeKey": Call("DELETE", "/v1/api_keys/{id}", "unless_lost"),
    "listTeam": Call("GET", "/v1/members", "always"),
    "getAlertWebhook": Call("GET", "/v1/settings/alert_webhook", "always"),
    "setAlertWebhook": Call("PUT", "/v1/settings/alert_webhook", "unless_lost"),
    "removeAlertWebhook": Call("DELETE", "/v1/settings/alert_webhook", "unless_lost"),
    "listDeliveries": Call("GET", "/v1/deliveries", "always"),
    "resendWebhook": Call("POST", "/v1/deliveries/{id}/resend", "unless_lost"),
    "resendFailed": Call("POST", "/v1/deliveries/resend", "unless_lost"),
    "getResend": Call("GET", "/v1/deliveries/resend", "always"),
    "listRequests": Call("GET", "/v1/requests", "always"),
    "listAudit": Call("GET", "/v1/audit", "always"),
    "exportAudit": Call("GET", "/v1/audit/export", "always", "application/jsonl"),
    "getAuditKey": Call("GET", "/v1/audit/public_key", "always"),
}
"""What ``Vidimus.call`` can do, by the name of the operation in the API reference."""
