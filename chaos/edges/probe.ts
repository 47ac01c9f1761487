import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from './world.ts'

/** What a caller got: the status, 0 when there was no answer at all, and how long it took. */
export type Probed = { what: string; status: number; took_ms: number }

const giveUp_ms = 30_000

type Call = { method?: string; path: string; body?: unknown }

async function call({ address, key }: World, { method = 'GET', path, body }: Call): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(giveUp_ms),
  })
}

async function timed(what: string, send: () => Promise<number>): Promise<Probed> {
  const sent = performance.now()
  const status = await send().catch(() => 0)
  return { what, status, took_ms: Math.round(performance.now() - sent) }
}

/** Calls what needs the edges, again and again until the signal, and returns every answer. */
export async function probeUntil(over: AbortSignal, world: World): Promise<Probed[]> {
  const found: Promise<Probed>[] = []
  while (!over.aborted) {
    found.push(
      timed('create', async () => (await create(world)).status),
      timed('usage', async () => (await call(world, { path: '/v1/usage' })).status),
      timed('readyz', async () => (await call(world, { path: '/readyz' })).status),
      ...Object.values(world.metrics_ports).map((port) =>
        timed('metrics', async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).status),
      ),
    )
    await sleep(250)
  }
  return Promise.all(found)
}

function create(world: World): Promise<Response> {
  const body = { template: 'age_over_18', ttl_seconds: 900, webhook_url: world.webhook_url }
  return call(world, { method: 'POST', path: '/v1/verifications', body })
}

/** After how long everything works again, or what does not: a new verification is created, answered and delivered. */
export type Recovery = { after_ms: number } | { missing: string }

export async function recover(world: World, within_ms: number): Promise<Recovery> {
  const started = performance.now()
  let missing: string | undefined = 'no time'
  while (performance.now() - started < within_ms) {
    missing = await findMissing(world, started + within_ms)
    if (missing === undefined) return { after_ms: Math.round(performance.now() - started) }
    await sleep(100)
  }
  return { missing: missing ?? '' }
}

async function findMissing(world: World, end: number): Promise<string | undefined> {
  try {
    const created = await create(world)
    if (created.status !== 201) return `create ${created.status}`
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const answered = await world.respond(wallet_uri)
    if (!answered.answered || answered.http_status !== 200) return 'wallet answer'
    if ((await call(world, { path: '/readyz' })).status !== 200) return 'readyz'
    const metrics = await fetch(`http://127.0.0.1:${world.metrics_ports.serve}/metrics`)
    if (!/^vidimus_limiter_shared 1$/m.test(await metrics.text())) return 'shared limits'
    while (performance.now() < end) {
      if (world.receiver.received.some(({ body }) => body.includes(id))) return undefined
      await sleep(50)
    }
    return 'delivery'
  } catch {
    return 'no answer at all'
  }
}
