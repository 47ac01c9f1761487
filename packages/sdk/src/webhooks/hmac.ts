const algorithm = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

/** HMAC-SHA256 over `<t>.<body>`, keyed with the whole `whsec_…` text. */
export async function computeMac(secret: string, t: string, body: Uint8Array): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  const prefix = encoder.encode(`${t}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
}

/** Whether the hex digits equal the MAC. Compares in constant time. */
export function matchesHex(mac: Uint8Array, hex: string): boolean {
  let difference = hex.length ^ (mac.length * 2)
  for (const [index, byte] of mac.entries()) {
    difference |= byte ^ Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16)
  }
  return difference === 0
}
