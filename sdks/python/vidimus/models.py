# Generated from the contract by sdks/generate; a test compares. Change the contract, then run the build.
"""What the service returns. A member that is absent is ``None``; times are texts with six digits, as the service sends them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._decode import Model

@dataclass(frozen=True, kw_only=True)
class Verification(Model):
    id: str
    """The id of the verification. Whoever knows it can poll the status."""
    status: str
    """`pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time."""
    template: str | None = None
    """The template, if the verification was created with one."""
    wallet_uri: str | None = None
    """Show it as a QR code or a link. Present only while pending."""
    request_uri: str | None = None
    """Where the wallet fetches the signed request. Present only while pending."""
    claims: dict[str, Any] | None = None
    """The verified claims of all credentials, merged. Present only if completed."""
    credentials: list[CredentialResult] | None = None
    """The presented credentials with their checks. Present once a wallet has responded."""
    error: VerificationError | None = None
    """Why the verification failed. Present only if failed."""
    metadata: dict[str, str] | None = None
    """What you gave at creation."""
    purpose: str | None = None
    """The reason, as the holder is told."""
    redirect_url: str | None = None
    """Where the holder is sent afterwards."""
    created_at: str
    """When it was created."""
    expires_at: str
    """Until when a wallet can respond."""
    responded_at: str | None = None
    """When a wallet responded. Absent while nobody has."""
    page_url: str | None = None
    """The address of the holder's page, if the service named it."""


@dataclass(frozen=True, kw_only=True)
class CredentialResult(Model):
    format: str
    """The credential format: ISO 18013-5 mdoc or SD-JWT VC."""
    doctype_or_vct: str
    """The document type of an mdoc, or the `vct` of an SD-JWT VC."""
    claims: dict[str, Any]
    """The verified claims of this credential."""
    issuer: CredentialResultIssuer
    """Who signed the credential."""
    trusted: bool
    """Whether the issuer is on a trusted list."""
    signature_valid: bool
    """Whether the issuer's signature is valid."""
    holder_binding_valid: bool
    """Whether the wallet proved, for this request, that it holds the key of the credential."""
    findings: list[Finding]
    """The checks that did not pass."""


@dataclass(frozen=True, kw_only=True)
class CredentialResultIssuer(Model):
    """Who signed the credential."""

    common_name: str | None = None
    """The common name in the certificate that signed the credential."""
    country: str | None = None
    """The country in that certificate, as two letters."""


@dataclass(frozen=True, kw_only=True)
class Finding(Model):
    check: str
    """The name of the check. Names are stable and listed in the error reference."""
    status: str
    """`fail`: the verification failed because of this check. `warning`: it did not."""
    detail: str | None = None
    """An explanation for people. The wording may change."""


@dataclass(frozen=True, kw_only=True)
class VerificationError(Model):
    """Why the verification failed. Present only if failed."""

    code: str
    """Stable. Listed in the error reference."""
    message: str
    """For people. The wording may change."""


@dataclass(frozen=True, kw_only=True)
class VerificationList(Model):
    data: list[Verification]
    """Newest first. For the next page, give the last `created_at` as `before`."""
    next_before: str | None = None
    """Only with a filter: give it as `before` for the next page. A filtered page can have fewer verifications than `limit`, even none, and more can follow. Absent on the last page."""


@dataclass(frozen=True, kw_only=True)
class PhotoComparison(Model):
    id: str
    """The id of the verification."""
    same_person: bool
    """What was decided first. It stays."""


@dataclass(frozen=True, kw_only=True)
class Erasure(Model):
    id: str
    """The id of the erased verification."""
    deleted: ErasureDeleted
    """The number of deleted rows of each kind."""
    erased_at: str
    """When it was erased."""


@dataclass(frozen=True, kw_only=True)
class ErasureDeleted(Model):
    """The number of deleted rows of each kind."""

    verification_sessions: int
    """Deleted verifications: 1."""
    verification_results: int
    """Deleted results: 1 if a wallet had responded."""
    webhook_deliveries: int
    """Deleted entries of the webhook log."""


@dataclass(frozen=True, kw_only=True)
class VerificationStatus(Model):
    id: str
    """The id of the verification. Whoever knows it can poll the status."""
    status: str
    """`pending` until a wallet responds. `completed`: every check passed. `failed`: see `error`. `expired`: nobody responded in time."""


@dataclass(frozen=True, kw_only=True)
class UsableTemplateList(Model):
    data: list[UsableTemplate]
    """Ordered by key, the built-in ones first."""


@dataclass(frozen=True, kw_only=True)
class UsableTemplate(Model):
    key: str
    """What you give as `template` when you create a verification."""
    name: str
    """A short name for people."""
    description: str
    """What it asks and how."""
    version: str
    """Changes whenever the template changes. A verification keeps the version it was created with."""
    built_in: bool
    """Whether the template is part of the service. Otherwise it is your own."""
    claims: list[str]
    """The names of the claims that a completed verification can contain. `{age}` in a name stands for a parameter."""
    parameters: dict[str, TemplateParameter] | None = None
    """What you can give as `parameters` when you create a verification. Absent if there is nothing to give."""
    expected: list[str] | None = None
    """The claims that it compares: what you have to give as `expected`. Absent if there are none."""
    updated_at: str | None = None
    """When you last changed it. Absent if built in."""


@dataclass(frozen=True, kw_only=True)
class TemplateParameter(Model):
    type: str
    """What its value is."""
    min: int | None = None
    """The lowest integer."""
    max: int | None = None
    """The highest integer."""
    enum: list[str] | None = None
    """The strings that it accepts."""
    default: Any | None = None
    """Used if you give none. Absent if you have to."""


@dataclass(frozen=True, kw_only=True)
class RegisteredDevice(Model):
    device: Device
    pairing_code: str
    """`VD-XXXX-XXXX`. Shown only once."""


@dataclass(frozen=True, kw_only=True)
class Device(Model):
    id: str
    """The id of the device."""
    name: str
    """The name that you gave it."""
    status: str
    """`pending` until it is paired, then `active`. A new pairing code makes it `pending` again. A `revoked` device never becomes active again."""
    allowed_templates: list[str]
    """The templates that it may use."""
    created_at: str
    """When it was registered."""
    pairing_expires_at: str | None = None
    """Until when the pairing code works. Present only while pending."""
    enrolled_at: str | None = None
    """When it was paired."""
    last_seen_at: str | None = None
    """When it last sent a request, to within a minute."""
    revoked_at: str | None = None
    """When it was revoked."""


@dataclass(frozen=True, kw_only=True)
class DeviceList(Model):
    data: list[Device]
    """Newest first."""


@dataclass(frozen=True, kw_only=True)
class AppliedConfig(Model):
    applied: bool
    """Whether the configuration is now as sent. False after a dry run."""
    changes: list[ConfigChange]
    """What differs, in the order in which it is changed."""
    unchanged: int
    """How many parts are as sent already."""
    kept: int
    """How many are not in the document and stay, because `prune` was not given."""
    secrets: list[AppliedConfigSecret]
    """The secrets of what was created."""
    failure: AppliedConfigFailure | None = None
    """Why a change was not made. It and those after it are not applied; send the document again to complete it."""


@dataclass(frozen=True, kw_only=True)
class ConfigChange(Model):
    action: str
    """What happens to it."""
    resource: str
    """What it is, in words."""
    before: Any | None = None
    """Its part of the configuration before. Absent if new."""
    after: Any | None = None
    """Its part afterwards. Absent if deleted."""
    applied: bool
    """Whether this change was made."""


@dataclass(frozen=True, kw_only=True)
class AppliedConfigSecret(Model):
    resource: str
    """What it is, in words."""
    id: str | None = None
    """Its id, if it has one."""
    secret: str
    """Shown only once."""


@dataclass(frozen=True, kw_only=True)
class AppliedConfigFailure(Model):
    """Why a change was not made. It and those after it are not applied; send the document again to complete it."""

    resource: str
    """What it is, in words."""
    code: str
    """The error code."""
    message: str
    """What went wrong."""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointSecret(Model):
    endpoint: WebhookEndpoint
    secret: str
    """Starts with `whsec_`. Shown only once."""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpoint(Model):
    id: str
    """The id of the endpoint."""
    url: str
    """Where events are sent."""
    environment: str
    """The environment of the key that created it."""
    events: list[str]
    """The events that it gets."""
    description: str
    """Your note, or an empty text."""
    enabled: bool
    """Whether events are sent to it."""
    disabled_reason: str | None = None
    """Why it is disabled: you asked for it, or every attempt of five days failed."""
    disabled_at: str | None = None
    """When it was disabled."""
    failing_since: str | None = None
    """The first failed attempt since the last that succeeded. Absent while it works."""
    secret_created_at: str
    """When its signing secret was created."""
    previous_secret_retires_at: str | None = None
    """Until then the previous secret signs too."""
    created_at: str
    """When it was created."""


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointList(Model):
    data: list[WebhookEndpoint]
    """Newest first, at most 16."""


@dataclass(frozen=True, kw_only=True)
class Usage(Model):
    day: str
    """Today in UTC."""
    verifications_created: int
    """Verifications created today."""
    daily_quota: int
    """How many can be created per day."""
    remaining: int
    """How many can still be created today."""
    recent: list[UsageRecent]
    """The last days on which any were created, newest first."""


@dataclass(frozen=True, kw_only=True)
class UsageRecent(Model):
    day: str
    """A day in UTC."""
    verifications_created: int
    """Verifications created on that day."""


@dataclass(frozen=True, kw_only=True)
class WebhookEventErasure(Model):
    """What is or was erased."""

    verification_id: str
    """The verification."""
    environment: str
    """Its environment."""
    requested_at: str
    """When its holder asked."""
    due_at: str | None = None
    """Until when you answer. Only of a request."""
    executed_at: str | None = None
    """When it was erased. Only once it is."""


@dataclass(frozen=True, kw_only=True)
class Alert(Model):
    id: str
    """The id of the alert."""
    kind: str
    """What happened."""
    environment: str | None = None
    """The environment. Absent if the alert concerns the whole tenant."""
    subject: str
    """What it is about, by kind: the id of the endpoint or device, the day of the quota, the fingerprint of the certificate, the id of the registration, the URL of the trust list, or an id of the change."""
    details: dict[str, Any]
    """More about it. The members depend on the kind; ignore those that you do not know."""
    raised_at: str
    """When it was raised."""
    resolved_at: str | None = None
    """When its cause was gone. Absent while it is open."""


@dataclass(frozen=True, kw_only=True)
class WebhookEvent(Model):
    """An event that the service signed. One of a type that this version does not know has `raw`: acknowledge and ignore it."""

    type: str
    """What happened, such as `verification.completed` or `alert.raised`. `webhook.test` comes from the dashboard: take no action."""
    verification: Verification | None = None
    """The verification, in events about one."""
    sent_at: str | None = None
    """When it was sent."""
    erasure: WebhookEventErasure | None = None
    """What is or was erased."""
    alert: Alert | None = None
    """The alert, in events about one."""
    environment: str | None = None
    """The environment of a test event."""
    raw: dict[str, Any] | None = None
    """The event as it was sent, with the members that this version does not know."""

