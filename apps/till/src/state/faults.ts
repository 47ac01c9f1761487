import type { ErrorCode } from '@vidimus/sdk'
import type { Fault } from './answer.ts'

/** `lost` ends the pairing; `retry` may pass by itself; everything else ends the check with the reason. */
export type ApiFault =
  | { kind: 'pairing_lost' }
  | { kind: 'retry'; reason: Fault }
  | { kind: 'final'; reason: Fault }

const pairingLost: ApiFault = { kind: 'pairing_lost' }
const retry = (reason: Fault): ApiFault => ({ kind: 'retry', reason })
const final = (reason: Fault): ApiFault => ({ kind: 'final', reason })
/** The service does not send these codes to a device; if it does, the till cannot know what they mean. */
const unexpected = final('service_fault')

const faults: Record<ErrorCode | 'unreadable_answer', ApiFault> = {
  // The token was valid when it was issued, so the device was revoked, or its tenant's keys were replaced.
  invalid_api_key: pairingLost,
  // The SDK has refreshed the token and the new one is refused as well.
  api_key_expired: pairingLost,
  insufficient_scope: final('template_withdrawn'),
  unknown_template: final('template_withdrawn'),
  // The tenant is not registered for what the template asks for, and has chosen not to ask then.
  registration_exceeded: final('template_withdrawn'),
  quota_exceeded: final('quota_spent'),
  tenant_suspended: final('suspended'),
  tenant_not_approved: final('suspended'),
  rate_limit_exceeded: retry('busy'),
  overloaded: retry('busy'),
  internal_error: retry('service_fault'),
  // A proxy responded instead of the service, as it does during a restart.
  unreadable_answer: retry('service_fault'),
  // The first of two equal requests is still in progress.
  idempotency_key_in_flight: retry('service_fault'),
  session_not_found: final('erased'),
  session_expired: final('time_out'),
  invalid_request: unexpected,
  invalid_idempotency_key: unexpected,
  invalid_pairing_code: unexpected,
  invalid_refresh_token: unexpected,
  invalid_wallet_response: unexpected,
  not_signed_in: unexpected,
  sign_in_failed: unexpected,
  role_not_allowed: unexpected,
  confirmation_required: unexpected,
  wrong_origin: unexpected,
  not_found: unexpected,
  device_not_found: unexpected,
  webhook_endpoint_not_found: unexpected,
  invalid_response_code: unexpected,
  invalid_invitation: unexpected,
  key_not_found: unexpected,
  delivery_not_found: unexpected,
  template_not_found: unexpected,
  member_not_found: unexpected,
  invitation_not_found: unexpected,
  passkey_not_found: unexpected,
  member_session_not_found: unexpected,
  anchor_not_found: unexpected,
  registration_not_found: unexpected,
  registration_exists: unexpected,
  registration_in_use: unexpected,
  registration_not_accepted: unexpected,
  method_not_allowed: unexpected,
  session_already_responded: unexpected,
  template_exists: unexpected,
  template_in_use: unexpected,
  device_revoked: unexpected,
  key_not_usable: unexpected,
  link_not_found: unexpected,
  receipt_not_ready: unexpected,
  sealing_key_not_found: unexpected,
  sealing_conflict: unexpected,
  sealing_key_missing: unexpected,
  openid_client_not_found: unexpected,
  openid_client_changed: unexpected,
  last_owner: unexpected,
  last_sign_in_method: unexpected,
  too_many: unexpected,
  unknown_persona: unexpected,
  config_busy: unexpected,
  config_changed: unexpected,
  invalid_template: unexpected,
  invalid_webhook_url: unexpected,
  idempotency_key_reused: unexpected,
  sign_in_unavailable: unexpected,
}

/** What an error of the API means for the check in progress. */
export function classifyFault(code: string): ApiFault {
  // The key was just looked up.
  return Object.hasOwn(faults, code) ? faults[code as keyof typeof faults] : unexpected
}
