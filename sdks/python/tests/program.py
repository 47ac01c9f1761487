"""Does what ../../test asks on standard input, one line each, and reports the outcome."""
from __future__ import annotations

import base64
import json
import sys
from typing import Any

sys.path.insert(0, __file__.rsplit("/", 2)[0])

import vidimus  # noqa: E402
from vidimus._decode import _encode, decode  # noqa: E402


def act(client: vidimus.Vidimus, do: str, given: dict[str, Any]) -> Any:
    body, options, id = given.get("body", {}), given.get("options", {}), given.get("id", "")
    verifications = client.verifications
    if do == "connect":
        return None
    if do == "create":
        created = verifications.create(**body, **options)
        return {"verification": created, "page": verifications.page_url(created)}
    if do == "retrieve":
        read = verifications.retrieve(id)
        return {"verification": read, "page": verifications.page_url(read)}
    if do == "list_all":
        return list(verifications.list_all(**options))
    if do == "wait":
        return verifications.wait_for_completion(id, timeout=given["timeout_ms"] / 1000, interval=given["interval_ms"] / 1000)
    if do == "apply_config":
        return client.config.apply(body, **options)
    if do == "call":
        return client.call(given["operation"], *given.get("params", []), query=given.get("query"), body=given.get("body"))
    if do == "update_device":
        return client.devices.update(id, **body)
    if do == "update_endpoint":
        return client.webhook_endpoints.update(id, **body)
    if do == "rotate_secret":
        return client.webhook_endpoints.rotate_secret(id)
    simple = {
        "list": lambda: verifications.list(**options),
        "cancel": lambda: verifications.cancel(id),
        "delete": lambda: verifications.delete(id),
        "status": lambda: verifications.status(id),
        "redeem": lambda: verifications.redeem(id, **body),
        "compare": lambda: verifications.compare(id, **body),
        "templates": client.templates.list,
        "usage": client.usage.retrieve,
        "create_device": lambda: client.devices.create(**body),
        "list_devices": client.devices.list,
        "revoke_device": lambda: client.devices.revoke(id),
        "create_endpoint": lambda: client.webhook_endpoints.create(**body),
        "delete_endpoint": lambda: client.webhook_endpoints.delete(id),
        "export_config": client.config.export,
    }
    return simple[do]()


def verify(given: dict[str, Any]) -> Any:
    body = given["body"]
    return vidimus.webhooks.verify(
        body=base64.b64decode(body["base64"]) if isinstance(body, dict) else body,
        headers=given["headers"],
        secret=given["secret"],
        now=given.get("now"),
        tolerance=given.get("tolerance_seconds", 300),
    )


def open_sealed(given: dict[str, Any]) -> Any:
    opened = vidimus.sealing.open_result(decode(vidimus.models.Verification, given["verification"]), given["keys"])
    return {"claims": opened.claims, "credentials": opened.credentials}


def describe(error: Exception) -> dict[str, Any]:
    if isinstance(error, vidimus.ApiError):
        fields = ("code", "status", "request_id", "retry_after_seconds", "help")
        return {"kind": "api", "message": str(error), **{name: getattr(error, name) for name in fields}}
    if isinstance(error, vidimus.WebhookError):
        return {"kind": "webhook", "message": str(error), "reason": error.reason}
    if isinstance(error, vidimus.SealedResultError):
        return {"kind": "sealed", "message": str(error), "reason": error.reason}
    kinds = {vidimus.ConnectionError: "connection", vidimus.StillPendingError: "still_pending", ValueError: "argument"}
    return {"kind": kinds.get(type(error), f"unexpected {type(error).__name__}"), "message": str(error)}


for line in sys.stdin:
    asked = json.loads(line)
    pauses: list[float] = []
    warnings: list[str] = []
    outcome: dict[str, Any] = {}
    try:
        if asked["do"] == "verify":
            value = verify(asked["with"])
        elif asked["do"] == "open":
            value = open_sealed(asked["with"])
        else:
            options = asked["client"]
            client = vidimus.Vidimus(
                base_url=options["base_url"],
                api_key=options["api_key"],
                timeout=options.get("timeout_ms", 30_000) / 1000,
                retries=options.get("retries", 2),
                on_warning=warnings.append,
                sleep=pauses.append,
            )
            value = act(client, asked["do"], asked.get("with", {}))
        outcome["value"] = _encode(value)
    except Exception as error:  # noqa: BLE001 -- every outcome is reported
        outcome["error"] = describe(error)
    outcome["pauses_ms"] = [round(pause * 1000) for pause in pauses]
    outcome["warnings"] = warnings
    print(json.dumps(outcome), flush=True)
