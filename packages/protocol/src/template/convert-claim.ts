import type { Json } from '../json.ts'
import type { ClaimPlace } from './template.ts'

/** Converts a value to the form of the vocabulary, for either credential format. Other values stay unchanged. */
export function convertClaim(value: Json, as: ClaimPlace['as']): Json {
  if (typeof value !== 'string' || as === undefined) return value
  return as === 'image' ? toDataUrl(value) : stripTime(value)
}

function stripTime(text: string): string {
  return /^\d{4}-\d{2}-\d{2}(?=T)/.exec(text)?.[0] ?? text
}

/** The first bytes of the image formats that ISO 18013-5 §7.2.1 allows, in hex. */
const imageSignatures = [
  ['ffd8ff', 'image/jpeg'],
  ['0000000c6a502020', 'image/jp2'],
  ['ff4fff51', 'image/jp2'],
] as const

function toDataUrl(text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  const start = bytes.toString('hex', 0, 8)
  const type = imageSignatures.find(([signature]) => start.startsWith(signature))?.[1]
  return type === undefined ? text : `data:${type};base64,${bytes.toString('base64')}`
}
