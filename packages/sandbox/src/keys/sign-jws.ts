import { signRaw, type SigningKey } from './signing-key.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export type JsonObject = { readonly [name: string]: Json | undefined }

/**
 * A compact JWS (RFC 7515 §7.1). Written by hand because faults need headers that contradict the signature, and a library
 * refuses to sign those.
 */
export function signJws(header: JsonObject, payload: JsonObject, key: SigningKey): string {
  const input = `${encodeJson(header)}.${encodeJson(payload)}`
  return `${input}.${base64url(signRaw(key, Buffer.from(input)))}`
}

export function encodeJson(value: Json): string {
  return base64url(Buffer.from(JSON.stringify(value)))
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64url')
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isJsonArray(value: object): value is readonly Json[] {
  return Array.isArray(value)
}
