import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { buildWalletUri } from '@vidimus/protocol'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { clientId } from './uris.ts'

/** How long a code is on the screen, and how long it is accepted after that: a wallet may fetch the request several times. */
export const codeShown_seconds = 20
export const codeAccepted_seconds = 60

const cipher = 'aes-256-gcm'
const salt_bytes = 16
const tag_bytes = 16
const time_bytes = 4
/** The key of a code encrypts nothing else. */
const iv = Buffer.alloc(12)
const codePattern = /^vc_[0-9A-Za-z]([A-Za-z0-9_-]{50,150})$/

type CodeContext = Pick<Context, 'config' | 'keyring'>

/**
 * The content of a QR code that is worthless soon after it left the screen. Instead of the verification's id, which leads to the page and
 * so to newer codes, it has the id and the time encrypted. Nothing is stored.
 */
export function movingCodeUri(
  ctx: CodeContext,
  { id, certificate }: { id: string; certificate: Buffer },
  now_seconds: number,
): string {
  return buildWalletUri({
    client_id: clientId(certificate),
    request_uri: `${ctx.config.BASE_URL}/wallet/code/${writeCode(ctx, id, now_seconds)}`,
    request_uri_method: 'post',
  })
}

function writeCode({ config, keyring }: CodeContext, id: string, now_seconds: number): string {
  const time = Buffer.alloc(time_bytes)
  time.writeUInt32BE(Math.floor(now_seconds))
  const salt = randomBytes(salt_bytes)
  const sealing = createCipheriv(cipher, codeKey(keyring, salt), iv)
  const parts = [salt, sealing.update(time), sealing.update(id), sealing.final(), sealing.getAuthTag()]
  return `vc_${config.CELL}${Buffer.concat(parts).toString('base64url')}`
}

/** The verification that a code was shown for, and when. A code that this service did not write is unknown. */
export function readCode(
  { keyring }: Pick<Context, 'keyring'>,
  code: string,
): { id: string; shown_at: number } {
  const bytes = Buffer.from(codePattern.exec(code)?.[1] ?? '', 'base64url')
  if (bytes.length <= salt_bytes + time_bytes + tag_bytes) throw notFound('session_not_found')
  const opening = createDecipheriv(cipher, codeKey(keyring, bytes.subarray(0, salt_bytes)), iv)
  opening.setAuthTag(bytes.subarray(-tag_bytes))
  const opened = opening.update(bytes.subarray(salt_bytes, -tag_bytes))
  try {
    opening.final()
  } catch {
    throw notFound('session_not_found')
  }
  return { shown_at: opened.readUInt32BE(), id: opened.toString('latin1', time_bytes) }
}

/** Refuses a code that left the screen too long ago: a picture of it, sent to somebody else. */
export function requireFreshCode(shown_at: number, now_seconds: number): void {
  if (now_seconds - shown_at > codeShown_seconds + codeAccepted_seconds)
    throw new Refusal('session_expired', 'This code is too old. Scan the one that is on the screen now.')
}

function codeKey(keyring: Context['keyring'], salt: Uint8Array): Buffer {
  return keyring.derive('moving code', salt, 32)
}
