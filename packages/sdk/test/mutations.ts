import { readFileSync } from 'node:fs'
import { webhooks, WebhookError } from '../src/index.ts'

export type SignedMessage = { header: string; body: Uint8Array }
export type MutationCounts = { tried: number; verified: number; crashed: number }

type Random = (below: number) => number
const { common, cases } = JSON.parse(
  readFileSync(new URL('../vectors/webhooks.json', import.meta.url), 'utf8'),
)
const genuineMessages: SignedMessage[] = cases
  .filter((each: { reason?: string; now?: number }) => each.reason === undefined && each.now === undefined)
  .map(({ header }: { header: string }) => ({ header, body: Buffer.from(common.body) }))

export type MutationOptions = {
  n: number
  seed: number
  verify?: (message: SignedMessage) => Promise<boolean>
}

/** Alters genuine webhooks at random and counts those that still verify and those that throw anything but a `WebhookError`. */
export async function countMutations({
  n,
  seed,
  verify = verifyWithSdk,
}: MutationOptions): Promise<MutationCounts> {
  const counts = { tried: 0, verified: 0, crashed: 0 }
  for (let each = 0; each < n; each += 1) {
    const message = genuineMessages[each % genuineMessages.length]
    if (message === undefined) throw new Error('There are no genuine messages.')
    counts.tried += 1
    try {
      if (await verify(mutate(message, seed + each))) counts.verified += 1
    } catch {
      counts.crashed += 1
    }
  }
  return counts
}

async function verifyWithSdk({ header, body }: SignedMessage): Promise<boolean> {
  try {
    await webhooks.verify({
      body,
      headers: { 'x-service-signature': header },
      secret: common.secret,
      now: common.now,
    })
    return true
  } catch (error) {
    if (error instanceof WebhookError) return false
    throw error
  }
}

/** Alters the header or the body one to three times. A harmless result is discarded and drawn again. */
export function mutate(message: SignedMessage, seed: number): SignedMessage {
  const random = createRandom(seed)
  for (;;) {
    let altered = message
    for (let times = 1 + random(3); times > 0; times -= 1) {
      altered =
        random(2) === 0
          ? { ...altered, header: alterText(altered.header, random) }
          : { ...altered, body: alterBytes(altered.body, random) }
    }
    if (!isHarmless(message, altered)) return altered
  }
}

/** The body and `t` are unchanged, and a genuine signature is still among the candidates: it verifies by specification. */
function isHarmless(message: SignedMessage, altered: SignedMessage): boolean {
  const itemsNamed = (name: string, { header }: SignedMessage) =>
    header.split(',').filter((item) => item.startsWith(`${name}=`))
  return (
    Buffer.from(altered.body).equals(message.body) &&
    itemsNamed('t', altered).join() === itemsNamed('t', message).join() &&
    itemsNamed('v1', message).some((candidate) => itemsNamed('v1', altered).includes(candidate))
  )
}

function alterText(text: string, random: Random): string {
  const at = random(text.length + 1)
  const other = random(text.length + 1)
  const [from, to] = at < other ? [at, other] : [other, at]
  const alphabet = '0123456789abcdef,=tv1 ABCDEF.-+x\u0000\u00e4'
  const character = alphabet[random(alphabet.length)] ?? '0'
  const variants = [
    () => `${text.slice(0, at)}${character}${text.slice(at + 1)}`,
    () => `${text.slice(0, at)}${character}${text.slice(at)}`,
    () => `${text.slice(0, at)}${text.slice(at + 1)}`,
    () => `${text.slice(0, from)}${text.slice(to)}`,
    () => text.slice(0, from) + text.slice(from, to).toUpperCase() + text.slice(to),
    () =>
      text
        .split(',')
        .toReversed()
        .join(character === ',' ? ';' : ','),
    () => text.replace(/^t=\d+/, `t=${random(2_000_000_000)}`),
    () => text.replace(/v1=[0-9a-f]+/g, () => `v1=${randomHex(random)}`),
    () => text.replaceAll('v1=', character === '0' ? 'v0=' : `v${character}=`),
  ]
  return variants[random(variants.length)]?.() ?? ''
}

function alterBytes(bytes: Uint8Array, random: Random): Uint8Array {
  const at = random(bytes.length + 1)
  const head = bytes.subarray(0, at)
  const variants = [
    () => bytes.map((byte, index) => (index === at % bytes.length ? byte ^ (1 << random(8)) : byte)),
    () => Buffer.concat([head, Uint8Array.of(random(256)), bytes.subarray(at)]),
    () => Buffer.concat([head, bytes.subarray(at + 1)]),
    () => head,
    () => bytes.subarray(at),
    () => Buffer.concat([bytes, head]),
    () => Buffer.from(JSON.stringify({ at, body: Buffer.from(bytes).toString() })),
    () => Buffer.concat([bytes, Buffer.from(' '.repeat(1 + random(3)))]),
  ]
  return variants[random(variants.length)]?.() ?? bytes
}

function randomHex(random: Random): string {
  return Array.from({ length: 64 }, () => random(16).toString(16)).join('')
}

/** Pseudo-random numbers from a seed (xorshift), so that a failure can be reproduced. */
function createRandom(seed: number): Random {
  let state = (seed * 2_654_435_761 + 1) >>> 0 || 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}
