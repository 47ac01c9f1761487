import { errorCodes, type ErrorCode } from '@vidimus/contract'
import { checks, failures, type Check, type Explanation } from '@vidimus/protocol'

/** What each error of the API means, and what to do about it. The texts are Markdown. */
const apiErrors = {
  invalid_request: {
    meaning:
      'The body, the query or a header is invalid. The message names each field, the rule and the value that was sent.',
    remedy: 'Correct the request. A retry without changes will be refused again.',
  },
  invalid_idempotency_key: {
    meaning: '`Idempotency-Key` is not 1 to 255 printable ASCII characters without spaces.',
    remedy: 'Use a UUID.',
  },
  invalid_pairing_code: {
    meaning:
      'The pairing code is wrong, used or expired, or its device was revoked. The response does not say which.',
    remedy: 'Register the device again and pair it with the new code.',
  },
  invalid_refresh_token: {
    meaning:
      'The refresh token is unknown, expired or already used, or its device was revoked. Sending a used token revokes the device.',
    remedy: 'Pair the device again. Refresh in one place only, and store the new token before using it.',
  },
  invalid_wallet_response: {
    meaning:
      'The posted data is not a response to this request: it cannot be decrypted with this session’s key, or has a different `state`. The session stays pending.',
    remedy:
      'For wallets. If you see it in your log, check the wallet: it responded to another request, or in the wrong form.',
  },
  invalid_api_key: {
    meaning: 'The key is missing, malformed, unknown or revoked. The response does not say which.',
    remedy:
      'Send `Authorization: Bearer vk_…` with the complete key. A lost key cannot be recovered; create a new one.',
  },
  api_key_expired: {
    meaning: 'The key or the device’s access token has expired.',
    remedy: 'Create a new key, or refresh the device’s token.',
  },
  insufficient_scope: {
    meaning:
      'The key is valid but lacks the scope named in the message; or a device requested something it is not allowed to.',
    remedy:
      'Create a key with that scope, or register the device again with the template in its `allowed_templates`.',
  },
  not_found: {
    meaning: 'There is no such route.',
    remedy: 'Check the URL. `/docs` lists the routes.',
  },
  session_not_found: {
    meaning:
      'There is no such verification: the id is wrong, it belongs to another tenant or to the other environment, or it was erased. The response does not say which.',
    remedy: 'Check that you use a test key for a test id.',
  },
  device_not_found: {
    meaning: 'This tenant has no such device.',
    remedy: 'List the devices.',
  },
  webhook_endpoint_not_found: {
    meaning: 'This tenant has no such webhook endpoint in the environment of the key.',
    remedy: 'List the webhook endpoints with a key of the same environment.',
  },
  invalid_response_code: {
    meaning:
      'The code is wrong or was already redeemed, or the verification is unknown. The response does not say which.',
    remedy: 'Redeem a code only once. If you lost the response, read the verification with your key.',
  },
  method_not_allowed: {
    meaning: 'The route does not support this method. The `Allow` header lists the supported ones.',
    remedy: 'Use a supported method.',
  },
  session_already_responded: {
    meaning: 'A wallet has already responded to this verification. Only one response is accepted.',
    remedy: 'For wallets. Create a new verification to try again.',
  },
  idempotency_key_in_flight: {
    meaning: 'A request with the same `Idempotency-Key` is still running.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  session_expired: {
    meaning: 'No wallet responded in time.',
    remedy: 'Create a new verification. Use a longer `ttl_seconds` if holders need more time.',
  },
  unknown_template: {
    meaning:
      'There is no template with this key, neither built in nor of this tenant. If a similar one exists, the message names it.',
    remedy:
      'Look up the key on the dashboard under Templates, or in the list of [built-in templates](../guides/templates.md). Before you register a device, create its templates.',
  },
  invalid_template: {
    meaning:
      'The template that was sent has mistakes. The message names up to five of them with their places.',
    remedy: 'Correct it. `POST /v1/templates/lint` names all of them, with advice, and saves nothing.',
  },
  config_busy: {
    meaning: 'Another configuration of this tenant is being applied. Nothing was changed.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
  config_changed: {
    meaning: 'The configuration is not the one whose `ETag` you sent in `If-Match`. Nothing was changed.',
    remedy: 'Export it again, compare, and apply with the new `ETag`.',
  },
  invalid_webhook_url: {
    meaning:
      'The URL is not http or https, contains a user name or password, or its address is not public (private, loopback or link-local). Webhooks are sent to public addresses only.',
    remedy:
      'Use a public address, and check the [signature](../guides/webhooks.md#check-the-signature) instead of a password. On your own machine, use `vidimus listen`.',
  },
  registration_exceeded: {
    meaning:
      'The query asks for a credential or claim that the [registration](../guides/going-live.md) of its template does not cover, and the tenant has chosen to refuse such queries. The message names the place. Nothing was created and nothing counts against the quota.',
    remedy:
      'Ask for less, choose another registration for the template, or have the registration extended. Without that choice, the verification is created and `X-Service-Warning` names the places.',
  },
  idempotency_key_reused: {
    meaning:
      'The same `Idempotency-Key` was sent with a different body, or the verification it created was erased.',
    remedy: 'Use a new key for a new request.',
  },
  rate_limit_exceeded: {
    meaning:
      'Too many requests with this key, from this address or for this session. The `RateLimit` header shows what is left.',
    remedy:
      'Wait for the number of seconds in `Retry-After`. Poll at most once a second, or better, use webhooks.',
  },
  tenant_suspended: {
    meaning: 'The operator of the service suspended or closed the account.',
    remedy: 'The message says why. Everything that exists can still be read and erased.',
  },
  tenant_not_approved: {
    meaning:
      'The account signed up by itself, and the operator of the service has not approved it: no live verifications and keys, or none at all.',
    remedy: 'Wait for the operator. Unless the message says otherwise, everything works in test.',
  },
  quota_exceeded: {
    meaning:
      "The daily quota of verifications is used up; `Retry-After` has the seconds until midnight UTC. Or the plan's limit of devices, or of device registrations per day, is reached.",
    remedy:
      'Wait, or ask for a higher quota. Revoke unused devices. A replay of a known `Idempotency-Key` still works.',
  },
  internal_error: {
    meaning:
      'An error in the service. The message has no details; the log has, under the `X-Request-Id` of the response.',
    remedy:
      'Retry with the same `Idempotency-Key`. If the error persists, send the request id to the operator.',
  },
  overloaded: {
    meaning: 'The service is overloaded, is shutting down, or cannot reach its database.',
    remedy: 'Wait for the number of seconds in `Retry-After`, then retry.',
  },
} as const satisfies Partial<Record<ErrorCode, Explanation>>

/** The same for what only requests of the dashboard get. A code that is in neither list does not compile. */
const dashboardErrors: Record<Exclude<ErrorCode, keyof typeof apiErrors>, Explanation> = {
  not_signed_in: {
    meaning: 'You are not signed in, or your session has expired.',
    remedy: 'Sign in again.',
  },
  sign_in_failed: {
    meaning: 'The passkey or the identity provider did not confirm your identity, or it took too long.',
    remedy: 'Try again. If it still fails, ask an owner for a new invitation.',
  },
  role_not_allowed: {
    meaning: 'Your role does not allow this. The message names the roles that do.',
    remedy: 'Ask an owner of your team.',
  },
  wrong_origin: {
    meaning: 'The request came from a page of another origin.',
    remedy: 'Open the dashboard at its own address. Operators: check that `BASE_URL` is that address.',
  },
  invalid_invitation: {
    meaning: 'The invitation is wrong, used or expired.',
    remedy: 'Ask for a new one.',
  },
  key_not_found: {
    meaning: 'There is no such key of this tenant.',
    remedy: 'Reload the list.',
  },
  delivery_not_found: {
    meaning: 'There is no such delivery attempt, or its verification was erased.',
    remedy: 'Reload the list.',
  },
  template_not_found: {
    meaning: 'This tenant has no such template.',
    remedy: 'Reload the list.',
  },
  member_not_found: {
    meaning: 'This team has no such member.',
    remedy: 'Reload the list.',
  },
  invitation_not_found: {
    meaning: 'There is no such open invitation.',
    remedy: 'Reload the list.',
  },
  passkey_not_found: {
    meaning: 'You have no such passkey.',
    remedy: 'Reload the list.',
  },
  member_session_not_found: {
    meaning: 'You have no such session: it has ended, or was never yours.',
    remedy: 'Reload the list.',
  },
  anchor_not_found: {
    meaning: 'You have no such trust anchor in this environment.',
    remedy: 'Reload the list.',
  },
  registration_not_found: {
    meaning: 'You have no such registration.',
    remedy: 'Reload the list.',
  },
  registration_exists: {
    meaning: 'You have added this registration certificate before.',
    remedy: 'Use the one in the list.',
  },
  registration_in_use: {
    meaning: 'Templates name this registration, so it cannot be removed. The message names them.',
    remedy: 'Choose another registration for these templates, then remove it.',
  },
  registration_not_accepted: {
    meaning:
      'The registration certificate failed a check. The message says which: its type or signature, its dates, the access certificate it belongs to, its status list, or the data set.',
    remedy:
      'Ask your registrar for a valid certificate. If it belongs to another access certificate, set that one first.',
  },
  template_exists: {
    meaning: 'A template with this key already exists.',
    remedy: 'Choose another key, or edit that template.',
  },
  template_in_use: {
    meaning: 'A device may use this template, so it cannot be deleted. The message names the devices.',
    remedy: "Change the devices' templates or revoke them, then delete the template.",
  },
  device_revoked: {
    meaning: 'The device is revoked. It can be neither changed nor paired again.',
    remedy: 'Register it again.',
  },
  key_not_usable: {
    meaning: 'The API key has expired, or was revoked or rolled before.',
    remedy: 'Create a new key.',
  },
  link_not_found: {
    meaning: 'The tenant has no verification link with this id in this environment.',
    remedy: 'Check the id and the environment. The id begins with `vl_` and is not the code in the address.',
  },
  receipt_not_ready: {
    meaning:
      'The verification has no receipt: it is open, has expired or is held back, or its audit entry is not signed yet. The message says which.',
    remedy: 'If the response has `Retry-After`, try again then.',
  },
  sealing_key_not_found: {
    meaning: 'The tenant has no sealing key with this thumbprint in this environment.',
    remedy: 'Check the thumbprint and the environment. Retired keys are listed only for a while.',
  },
  sealing_conflict: {
    meaning:
      'Results cannot be sealed and read by the service at the same time, or the key is in another state than the request expects. The message says which.',
    remedy:
      'Do what the message says, such as deleting the OpenID client or choosing other templates for the till.',
  },
  sealing_key_missing: {
    meaning:
      'Results of this environment are sealed, but no key is active, for example after a restore. They are never stored unsealed instead.',
    remedy: 'Register a key and answer its challenge.',
  },
  openid_client_not_found: {
    meaning: 'The tenant has no OpenID client with this id in this environment.',
    remedy: 'Check the id and the environment.',
  },
  openid_client_changed: {
    meaning: 'Someone else changed the OpenID client, or rolled its secret, at the same time.',
    remedy: 'Load the client again and repeat the change if it is still needed.',
  },
  last_owner: {
    meaning: 'This is the last owner, and a team needs at least one.',
    remedy: 'Make another member an owner first.',
  },
  confirmation_required: {
    meaning:
      'What gives lasting access, weakens a protection, or reveals secrets or many claims requires that you confirmed your identity within the last ten minutes: passkeys, members, API keys, OpenID clients, devices, webhook URLs and secrets, trusted issuers, the access certificate, policies and the download of claims.',
    remedy:
      'Confirm with your passkey, or sign in at your identity provider again. The dashboard prompts you.',
  },
  last_sign_in_method: {
    meaning: 'This passkey is your only sign-in method.',
    remedy: 'Add another passkey first.',
  },
  too_many: {
    meaning: 'The maximum number is reached. The message names the limit.',
    remedy: 'Remove one that you no longer need.',
  },
  unknown_persona: {
    meaning: 'The sandbox has no such persona, or the persona does not respond immediately.',
    remedy: '[Testing](../guides/testing.md#personas) lists them.',
  },
  sign_in_unavailable: {
    meaning: 'The identity provider cannot be reached.',
    remedy: 'Try again in a moment, or sign in with a passkey.',
  },
}

export function describeApiErrors(): string {
  return describeErrors(apiErrors)
}

export function describeDashboardErrors(): string {
  return describeErrors(dashboardErrors)
}

export function describeFailures(): string {
  return joinSections(Object.entries<Explanation>(failures), (code, { meaning, remedy }) => {
    const causes = Object.entries<Check>(checks)
      .filter(([, check]) => check.code === code)
      .map(([name]) => linkTo(name))
    const given = causes.length === 0 ? '' : `\n\nGiven by: ${causes.join(', ')}.`
    return `${meaning}\n\nWhat to do: ${remedy}${given}`
  })
}

export function describeChecks(): string {
  return joinSections(Object.entries<Check>(checks), (_name, { meaning, remedy, code }) => {
    const result = code === undefined ? 'It only warns.' : `A failure is ${linkTo(code)}.`
    return `${meaning}\n\nWhat to do if not: ${remedy}\n\n${result}`
  })
}

function describeErrors(explanations: Partial<Record<ErrorCode, Explanation>>): string {
  return joinSections(Object.entries(explanations), (code, { meaning, remedy }) => {
    // The keys are codes, as the lists are typed.
    const { status } = errorCodes[code as ErrorCode]
    return `Status ${status}. ${meaning}\n\nWhat to do: ${remedy}`
  })
}

function joinSections<Value>(
  entries: readonly (readonly [string, Value])[],
  describe: (name: string, value: Value) => string,
): string {
  return entries.map(([name, value]) => `### ${name}\n\n${describe(name, value)}`).join('\n\n')
}

function linkTo(section: string): string {
  return `[\`${section}\`](#${section})`
}
