import type { ErrorCode, NotFoundCode } from '@vidimus/contract'

/** Every reason to refuse a request. An internal error is not a refusal. */
type RefusalCode = Exclude<ErrorCode, 'internal_error'>

/** Thrown by a use case when the caller is at fault or has to wait. Any other error becomes a 500. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly retryAfter_seconds: number | undefined

  constructor(code: RefusalCode, message: string, retryAfter_seconds?: number) {
    super(message)
    this.code = code
    this.retryAfter_seconds = retryAfter_seconds
  }
}

const notFoundMessages = {
  not_found: 'There is nothing with this id.',
  session_not_found: 'There is no such verification.',
  device_not_found: 'There is no such device.',
  invalid_response_code: 'This code is wrong or was already redeemed.',
  key_not_found: 'There is no such key.',
  delivery_not_found: 'There is no such delivery.',
  webhook_endpoint_not_found: 'There is no such webhook endpoint.',
  template_not_found: 'There is no such template.',
  member_not_found: 'There is no such member.',
  invitation_not_found: 'There is no such invitation.',
  passkey_not_found: 'There is no such passkey.',
  member_session_not_found: 'You have no such session.',
  anchor_not_found: 'The tenant has no such trust anchor.',
  registration_not_found: 'There is no such registration.',
  link_not_found: 'There is no such verification link.',
  sealing_key_not_found: 'There is no such sealing key.',
  openid_client_not_found: 'There is no such OpenID client.',
} satisfies Record<NotFoundCode, string>

/** One message per code, so that a malformed id, an unknown id and another tenant's id cannot be told apart (READ-4). */
export function notFound(code: NotFoundCode): Refusal {
  return new Refusal(code, notFoundMessages[code])
}

/** Why a file that a setting names cannot be read, and what to do: `MASTER_KEY_FILE names /a/key, which does not exist`. */
export function explainUnreadable(variable: string, file: string, error: unknown): string {
  return `${variable} names ${file}, which ${reason(file, error instanceof Error && 'code' in error ? error.code : undefined)}`
}

function reason(file: string, code: unknown): string {
  switch (code) {
    case 'ENOENT':
      return 'does not exist'
    case 'EISDIR':
      return 'is a folder'
    case 'EACCES': {
      const user = process.getuid?.() ?? 'this user'
      return `user ${user} may not read: run \`chown ${user} ${file}\`, or make it and its folders readable for that user`
    }
    default:
      return `cannot be read (${typeof code === 'string' ? code : 'unknown error'})`
  }
}
