import { timingSafeEqual } from 'node:crypto'
import type { Hashing, Keyring } from '../../engine/keyring/index.ts'

/** Lifetimes of access and refresh tokens (TOKEN-1). */
export const tokenTtl_seconds = { access: 900, refresh: 30 * 86_400 }

const macBytes = 24
const accessToken = /^vd_([0-9A-Za-z])([A-Za-z0-9_-]{27})([A-Za-z0-9_-]{32})$/
const refreshToken = /^vdr_([0-9A-Za-z])([A-Za-z0-9_-]{32})([A-Za-z0-9_-]{32})$/

export type AccessToken = { device_id: string; expires_at: number }
export type RefreshToken = AccessToken & { generation: number }

/** Device and expiry with a MAC over both, so only the key ring can create one. Times are seconds since 1970. */
export function writeAccessToken(
  keyring: Hashing,
  cell: string,
  { device_id, expires_at }: AccessToken,
): string {
  const body = Buffer.concat([uuidBytes(device_id), uint32(expires_at)])
  return `vd_${cell}${body.toString('base64url')}${tokenMac(keyring, 'access token', body)}`
}

/** Device, generation and expiry with a MAC. A token of an earlier generation is a used one, so one row per device is enough. */
export function writeRefreshToken(keyring: Hashing, cell: string, token: RefreshToken): string {
  const body = Buffer.concat([uuidBytes(token.device_id), uint32(token.generation), uint32(token.expires_at)])
  return `vdr_${cell}${body.toString('base64url')}${tokenMac(keyring, 'refresh token', body)}`
}

/** Undefined if this service did not issue it. */
export async function readAccessToken(keyring: Keyring, token: string): Promise<AccessToken | undefined> {
  const body = await verifiedBody(keyring, 'access token', accessToken.exec(token))
  return body && { device_id: uuidText(body), expires_at: body.readUInt32BE(16) }
}

/** Undefined if this service did not issue it. */
export async function readRefreshToken(keyring: Keyring, token: string): Promise<RefreshToken | undefined> {
  const body = await verifiedBody(keyring, 'refresh token', refreshToken.exec(token))
  return (
    body && {
      device_id: uuidText(body),
      generation: body.readUInt32BE(16),
      expires_at: body.readUInt32BE(20),
    }
  )
}

/** A token that was issued before its tenant moved here carries the MAC of its old cell. */
async function verifiedBody(
  keyring: Keyring,
  use: string,
  parts: RegExpExecArray | null,
): Promise<Buffer | undefined> {
  const [, cell, bodyText = '', mac = ''] = parts ?? []
  const body = Buffer.from(bodyText, 'base64url')
  // The pattern ensures that both have the same length.
  const expected = Buffer.from(tokenMac(await keyring.hashingOf(cell), use, body))
  return parts !== null && timingSafeEqual(expected, Buffer.from(mac)) ? body : undefined
}

function tokenMac(keyring: Hashing, use: string, body: Buffer): string {
  return keyring.mac(use, body).toString('base64url', 0, macBytes)
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

function uuidText(bytes: Buffer): string {
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function uint32(number: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(number)
  return bytes
}
