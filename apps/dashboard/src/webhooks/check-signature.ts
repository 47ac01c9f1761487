export type SignatureCheck = { header: string; body: string; secret: string; now_seconds: number }

/** What a receiver should conclude, and what most likely went wrong. */
export type Verdict = { valid: boolean; message: string; advice?: string }

const tolerance_seconds = 300

/** The rules of HOOK-11, with reasons. It runs here: the secret leaves the page for nowhere. */
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
      'The header has no t= with a time in seconds.',
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
      `The signature is right for another form of this body: ${closeMatch.difference}.`,
      closeMatch.advice,
    )
  if (!secret.trim().startsWith('whsec_')) {
    return invalid(
      'No signature matches.',
      'The secret begins with whsec_ and is used whole, with that beginning.',
    )
  }
  return invalid(
    'No signature matches.',
    'Is it this environment’s newest secret, and the exact bytes that came? Middleware that parses JSON often hands on a body written anew.',
  )
}

function checkTimestamp(timestamp: number, now: number, count: number): Verdict {
  const skew_seconds = now - timestamp
  if (Math.abs(skew_seconds) > tolerance_seconds) {
    return invalid(
      `The signature matches, but its time is ${Math.abs(skew_seconds)} s ${skew_seconds > 0 ? 'in the past' : 'in the future'}; a receiver allows ${tolerance_seconds} s.`,
      'For an old message that is as it should be. For a new one, set your server’s clock.',
    )
  }
  return {
    valid: true,
    message: `The signature matches${count > 1 ? `, one of ${count}` : ''}, and its time is ${Math.abs(skew_seconds)} s off.`,
  }
}

type CloseMatch = { difference: string; advice: string }

async function findCloseMatch(
  body: string,
  matches: (text: string) => Promise<boolean>,
): Promise<CloseMatch | undefined> {
  const advice = 'Check the bytes as they came, before anything parses, trims or formats them.'
  const variants: [string, string | undefined][] = [
    ['white space around it was added', body.trim()],
    ['its line ends were changed', body.replaceAll('\r\n', '\n')],
    ['it was parsed and written anew', minifyJson(body)],
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
    // No JSON: then it was not written anew by something that reads JSON.
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
