import { setTimeout as sleep } from 'node:timers/promises'
import type { OutageFixture } from './start-behind-proxies.ts'

/** The status of a response, 0 if there was none, and how long it took. */
export type ProbeResult = { what: string; status: number; took_ms: number }

const timeout_ms = 30_000

type Call = { method?: string; path: string; body?: unknown }

async function call(
  { address, key }: OutageFixture,
  { method = 'GET', path, body }: Call,
): Promise<Response> {
  return fetch(`${address}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(timeout_ms),
  })
}

async function timeCall(what: string, send: () => Promise<number>): Promise<ProbeResult> {
  const sent = performance.now()
  const status = await send().catch(() => 0)
  return { what, status, took_ms: Math.round(performance.now() - sent) }
}

/** Calls routes that need the dependencies until the signal is aborted, and returns every result. */
export async function probeUntil(stop: AbortSignal, fixture: OutageFixture): Promise<ProbeResult[]> {
  const probes: Promise<ProbeResult>[] = []
  while (!stop.aborted) {
    probes.push(
      timeCall('create', async () => (await create(fixture)).status),
      timeCall('usage', async () => (await call(fixture, { path: '/v1/usage' })).status),
      timeCall('readyz', async () => (await call(fixture, { path: '/readyz' })).status),
      ...Object.values(fixture.metrics_ports).map((port) =>
        timeCall('metrics', async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).status),
      ),
    )
    await sleep(250)
  }
  return Promise.all(probes)
}

function create(fixture: OutageFixture): Promise<Response> {
  const body = { template: 'age_over_18', ttl_seconds: 900, webhook_url: fixture.webhook_url }
  return call(fixture, { method: 'POST', path: '/v1/verifications', body })
}

/** How long it took until a new verification could be created, answered and delivered, or what still failed. */
export type Recovery = { after_ms: number } | { missing: string }

export async function waitForRecovery(fixture: OutageFixture, within_ms: number): Promise<Recovery> {
  const started = performance.now()
  let missing: string | undefined = 'no time'
  while (performance.now() - started < within_ms) {
    missing = await findMissing(fixture, started + within_ms)
    if (missing === undefined) return { after_ms: Math.round(performance.now() - started) }
    await sleep(100)
  }
  return { missing: missing ?? '' }
}

async function findMissing(fixture: OutageFixture, end: number): Promise<string | undefined> {
  try {
    const created = await create(fixture)
    if (created.status !== 201) return `create ${created.status}`
    const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
    const responded = await fixture.respond(wallet_uri)
    if (!responded.sent || responded.http_status !== 200) return 'wallet response'
    if ((await call(fixture, { path: '/readyz' })).status !== 200) return 'readyz'
    const metrics = await fetch(`http://127.0.0.1:${fixture.metrics_ports.serve}/metrics`)
    if (!/^vidimus_limiter_shared 1$/m.test(await metrics.text())) return 'shared limits'
    while (performance.now() < end) {
      if (fixture.receiver.received.some(({ body }) => body.includes(id))) return undefined
      await sleep(50)
    }
    return 'delivery'
  } catch {
    return 'no response'
  }
}
