export type SignatureCheck = { header: string; body: string; secret: string; now_seconds: number }

/** Whether a receiver should accept the message, and if not, the most likely reason. */
export type Verdict = { valid: boolean; message: string; advice?: string }

const tolerance_seconds = 300

/** Applies the rules of HOOK-11 and gives reasons. It runs in the page, so the secret never leaves it. */
export async function checkSignature({
  header,
  body,
  secret,
  now_seconds,
}: SignatureCheck): Promise<Verdict> {
  const value = header.trim().replace(/^x-service-signature:\s*/i, '')
  const parts = value.split(',').map((part) => part.trim())
  const timestamp = parts.find((part) => part.startsWith('t='))?.slice(2)
  const signatures = parts.flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []))
  if (timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) {
    return invalid(
      'The header has no t= timestamp in seconds.',
      'Copy the whole value of X-Service-Signature.',
    )
  }
  if (signatures.length === 0)
    return invalid('The header has no v1= signature.', 'Copy the whole value of X-Service-Signature.')
  const sign = await createSigner(secret.trim())
  const matches = async (text: string) => signatures.includes(await sign(`${timestamp}.${text}`))

  if (await matches(body)) return checkTimestamp(Number(timestamp), now_seconds, signatures.length)
  const closeMatch = await findCloseMatch(body, matches)
  if (closeMatch !== undefined)
    return invalid(
      `The signature matches another form of this body: ${closeMatch.difference}.`,
      closeMatch.advice,
    )
  if (!secret.trim().startsWith('whsec_')) {
    return invalid(
      'No signature matches.',
      'The secret starts with whsec_. Use all of it, including that prefix.',
    )
  }
  return invalid(
    'No signature matches.',
    'Check that this is the current secret and the exact bytes received. Middleware that parses JSON often passes on a re-serialised body.',
  )
}

function checkTimestamp(timestamp: number, now: number, count: number): Verdict {
  const skew_seconds = now - timestamp
  if (Math.abs(skew_seconds) > tolerance_seconds) {
    return invalid(
      `The signature matches, but its timestamp is ${Math.abs(skew_seconds)} s ${skew_seconds > 0 ? 'in the past' : 'in the future'}; the tolerance is ${tolerance_seconds} s.`,
      'Expected for an old message. For a new one, check your server’s clock.',
    )
  }
  return {
    valid: true,
    message: `The signature matches${count > 1 ? ` (one of ${count})` : ''}. Its timestamp is ${Math.abs(skew_seconds)} s off.`,
  }
}

type CloseMatch = { difference: string; advice: string }

async function findCloseMatch(
  body: string,
  matches: (text: string) => Promise<boolean>,
): Promise<CloseMatch | undefined> {
  const advice = 'Verify the bytes as received, before anything parses, trims or formats them.'
  const variants: [string, string | undefined][] = [
    ['white space was added around it', body.trim()],
    ['its line endings were changed', body.replaceAll('\r\n', '\n')],
    ['it was parsed and re-serialised', minifyJson(body)],
  ]
  for (const [difference, variant] of variants) {
    if (variant !== undefined && variant !== body && (await matches(variant))) return { difference, advice }
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
