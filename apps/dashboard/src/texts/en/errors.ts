import type { LocalErrorCode } from '../../api/error.ts'

export type ErrorsTexts = typeof errors

export const errors = {
  /** Failures that the page itself notices. */
  local: {
    confirming: 'Sign in with your identity provider again, then retry.',
    not_our_response: 'The service returned HTTP {status}.',
    passkey_cancelled: 'The passkey prompt was cancelled or timed out. Try again.',
    passkey_exists: 'This device already has a passkey for your account. Sign in with it instead.',
    passkey_failed: 'The browser could not use a passkey ({name}).',
    passkey_insecure:
      'Passkeys need HTTPS, or localhost, and the address that the service is configured with.',
    passkey_missing: 'The browser returned no passkey.',
    unreachable: 'Can’t reach the service. Check your connection.',
  } satisfies Record<LocalErrorCode, string>,
  /** What the service refused, in short. Its own message, in English, says more. */
  service: {
    anchor_not_found: 'This trust anchor does not exist.',
    confirmation_required: 'Confirm that it is you, then retry.',
    delivery_not_found: 'This delivery does not exist.',
    device_not_found: 'This device does not exist.',
    device_revoked: 'This device is revoked.',
    internal_error: 'The service had an internal error.',
    invalid_invitation: 'This invitation has expired or was already used.',
    invalid_request: 'Something you entered is not valid.',
    invalid_webhook_url: 'This webhook URL cannot be used.',
    invitation_not_found: 'This invitation does not exist.',
    key_not_found: 'This key does not exist.',
    key_not_usable: 'This key can no longer be rolled.',
    last_owner: 'A team needs at least one owner.',
    last_sign_in_method: 'This is your last way to sign in.',
    member_not_found: 'This member does not exist.',
    not_found: 'This does not exist.',
    not_signed_in: 'You are no longer signed in.',
    overloaded: 'The service is busy. Try again in a moment.',
    passkey_not_found: 'This passkey does not exist.',
    quota_exceeded: 'Today’s quota is used up.',
    rate_limit_exceeded: 'Too many requests. Wait a moment.',
    role_not_allowed: 'Your role does not include this.',
    session_already_responded: 'A wallet has already responded.',
    session_expired: 'This verification has expired.',
    session_not_found: 'This verification does not exist.',
    sign_in_failed: 'You could not be signed in.',
    sign_in_unavailable: 'Your identity provider is not responding.',
    template_exists: 'A template with this key exists already.',
    template_in_use: 'This template is needed by a device.',
    template_not_found: 'This template does not exist.',
    too_many: 'The limit is reached.',
    unknown_persona: 'This persona does not exist.',
    unknown_template: 'This template does not exist.',
    wrong_origin: 'The request came from another website.',
  },
  unknown: 'Something went wrong.',
}
