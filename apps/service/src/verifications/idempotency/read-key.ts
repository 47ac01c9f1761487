import { Refusal } from '../../engine/basics/index.ts'

const printable = /^[\x21-\x7e]{1,255}$/

/** The Idempotency-Key header as the caller sent it, or undefined if there is none. An empty value is refused. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header === 'string' && printable.test(header)) return header
  throw new Refusal(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1-255 printable ASCII characters without spaces. A UUID is a good choice.',
  )
}
