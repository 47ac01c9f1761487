export type Check = { header: string; body: string; secret: string; now_seconds: number }

/** What a receiver should conclude, and what most likely went wrong. */
export type Verdict = { fine: boolean; says: string; advice?: string }

const tolerance_seconds = 300

/** The rules of HOOK-11, with reasons. It runs here: the secret leaves the page for nowhere. */
export async function checkSignature({ header, body, secret, now_seconds }: Check): Promise<Verdict> {
  const value = header.trim().replace(/^x-service-signature:\s*/i, '')
  const parts = value.split(',').map((part) => part.trim())
  const time = parts.find((part) => part.startsWith('t='))?.slice(2)
  const given = parts.flatMap((part) => (part.startsWith('v1=') ? [part.slice(3)] : []))
  if (time === undefined || !/^\d{1,12}$/.test(time)) {
    return no('The header has no t= with a time in seconds.', 'Copy the whole value of X-Service-Signature.')
  }
  if (given.length === 0)
    return no('The header has no v1= signature.', 'Copy the whole value of X-Service-Signature.')
  const sign = await signer(secret.trim())
  const matches = async (text: string) => given.includes(await sign(`${time}.${text}`))

  if (await matches(body)) return inTime(Number(time), now_seconds, given.length)
  const close = await closestBody(body, matches)
  if (close !== undefined)
    return no(`The signature is right for another form of this body: ${close.differs}.`, close.advice)
  if (!secret.trim().startsWith('whsec_')) {
    return no(
      'No signature matches.',
      'The secret begins with whsec_ and is used whole, with that beginning.',
    )
  }
  return no(
    'No signature matches.',
    'Is it this environment’s newest secret, and the exact bytes that came? Middleware that parses JSON often hands on a body written anew.',
  )
}

function inTime(time: number, now: number, count: number): Verdict {
  const off = now - time
  if (Math.abs(off) > tolerance_seconds) {
    return no(
      `The signature matches, but its time is ${Math.abs(off)} s ${off > 0 ? 'in the past' : 'in the future'}; a receiver allows ${tolerance_seconds} s.`,
      'For an old message that is as it should be. For a new one, set your server’s clock.',
    )
  }
  return {
    fine: true,
    says: `The signature matches${count > 1 ? `, one of ${count}` : ''}, and its time is ${Math.abs(off)} s off.`,
  }
}

type Close = { differs: string; advice: string }

async function closestBody(
  body: string,
  matches: (text: string) => Promise<boolean>,
): Promise<Close | undefined> {
  const advice = 'Check the bytes as they came, before anything parses, trims or formats them.'
  const forms: [string, string | undefined][] = [
    ['white space around it was added', body.trim()],
    ['its line ends were changed', body.replaceAll('\r\n', '\n')],
    ['it was parsed and written anew', compact(body)],
  ]
  for (const [differs, form] of forms) {
    if (form !== undefined && form !== body && (await matches(form))) return { differs, advice }
  }
  return undefined
}

function compact(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body))
  } catch {
    // No JSON: then it was not written anew by something that reads JSON.
    return undefined
  }
}

async function signer(secret: string): Promise<(text: string) => Promise<string>> {
  const encoder = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  return async (text) => {
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text)))
    return Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

function no(says: string, advice: string): Verdict {
  return { fine: false, says, advice }
}
