import { fillIn } from '@vidimus/holder-texts/fill-in'
import type { Texts } from '../texts/languages.ts'

type DebuggerTexts = Texts['webhooks']['debugger']
export type SignatureCheck = { header: string; body: string; secret: string; now_seconds: number }

/** Whether a receiver should accept the message, and if not, the most likely reason. */
export type Verdict = { valid: boolean; message: string; advice?: string }

const tolerance_seconds = 300

/** Applies the rules of HOOK-11 and gives reasons. It runs in the page, so the secret never leaves it. */
export async function checkSignature(
  { header, body, secret, now_seconds }: SignatureCheck,
  text: DebuggerTexts,
): Promise<Verdict> {
  const value = header.trim().replace(/^x-service-signature:\s*/i, '')
  const parts = value.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2)
  const signatures = parts.flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []))
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return invalid(text.no_timestamp, text.copy_whole_header)
  }
  if (signatures.length === 0) return invalid(text.no_signature, text.copy_whole_header)
  const sign = await createSigner(secret.trim())
  const matches = async (candidate: string) => signatures.includes(await sign(`${timestamp}.${candidate}`))

  if (await matches(body)) {
    const skew_seconds = now_seconds - Number(timestamp)
    return checkTimestamp({ skew_seconds, signatures: signatures.length }, text)
  }
  const closeMatch = await findCloseMatch(body, matches)
  if (closeMatch !== undefined)
    return invalid(
      fillIn(text.close_match, { difference: text.differences[closeMatch] }),
      text.close_match_advice,
    )
  return invalid(text.no_match, secret.trim().startsWith('whsec_') ? text.no_match_advice : text.no_prefix)
}

function checkTimestamp(
  { skew_seconds, signatures }: { skew_seconds: number; signatures: number },
  text: DebuggerTexts,
): Verdict {
  const skew = Math.abs(skew_seconds)
  if (skew > tolerance_seconds) {
    const problem = skew_seconds > 0 ? text.too_old : text.too_new
    return invalid(fillIn(problem, { skew, tolerance: tolerance_seconds }), text.skew_advice)
  }
  const message = signatures > 1 ? text.matches_one_of : text.matches
  return { valid: true, message: fillIn(message, { skew, signatures }) }
}

type CloseMatch = keyof DebuggerTexts['differences']

async function findCloseMatch(
  body: string,
  matches: (candidate: string) => Promise<boolean>,
): Promise<CloseMatch | undefined> {
  const variants: [CloseMatch, string | undefined][] = [
    ['white_space', body.trim()],
    ['line_endings', body.replaceAll('\r\n', '\n')],
    ['serialised', minifyJson(body)],
  ]
  for (const [difference, variant] of variants) {
    if (variant !== undefined && variant !== body && (await matches(variant))) return difference
  }
  return undefined
}

function minifyJson(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    // Not JSON, so no JSON parser has re-serialised it.
    return undefined
  }
}

async function createSigner(secret: string): Promise<(text: string) => Promise<string>> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return async (text) => {
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
    return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

function invalid(message: string, advice: string): Verdict {
  return { valid: false, message, advice }
}
