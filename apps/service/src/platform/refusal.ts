import type { ErrorCode, NotFoundCode } from '@vidimus/contract'

/** Every reason the service may refuse a request. A fault of our own is no refusal. */
export type RefusalCode = Exclude<ErrorCode, 'internal_error'>

/** A use case throws a Refusal when the caller is at fault, or has to wait. Anything else thrown is our fault: 500. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: RefusalCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const notFoundMessages = {
  session_not_found: 'There is no such verification.',
  device_not_found: 'There is no such device.',
  invalid_response_code: 'This code is wrong or was already redeemed.',
  key_not_found: 'There is no such key.',
  delivery_not_found: 'There is no such delivery.',
  template_not_found: 'There is no such template.',
  member_not_found: 'There is no such member.',
  invitation_not_found: 'There is no such invitation.',
  passkey_not_found: 'There is no such passkey.',
  anchor_not_found: 'The tenant has no such anchor of its own.',
} satisfies Record<NotFoundCode, string>

/** One wording for each: an odd id, an unknown one and another tenant's are told apart by nothing (READ-4). */
export function notFound(code: NotFoundCode): Refusal {
  return new Refusal(code, notFoundMessages[code])
}
