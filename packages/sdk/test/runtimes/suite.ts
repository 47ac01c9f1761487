import {
  ApiError,
  ConnectionError,
  createClient,
  createDeviceClient,
  indexedDbStore,
  memoryStore,
  StillPendingError,
  VidimusError,
  WebhookError,
  webhooks,
} from '@vidimus/sdk'

/** What the suite is told of the world: a running service, and the published vectors. */
export type World = {
  baseUrl: string
  apiKey: string
  vectors: {
    common: { secret: string; now: number; tolerance_seconds: number; body: string }
    cases: {
      name: string
      header: string | null
      body?: string
      secret?: string
      now?: number
      reason?: string
    }[]
  }
}
export type Report = { passed: string[]; failed: { name: string; why: string }[] }

/**
 * One file for every runtime, so it uses only what all of them have: no test framework, no files, no process. It runs on the package
 * as it is published, against a real service.
 */
export async function runSuite(world: World): Promise<Report> {
  const report: Report = { passed: [], failed: [] }
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(world)
      report.passed.push(name)
    } catch (error) {
      report.failed.push({
        name,
        why: error instanceof Error ? `${error.message}\n${error.stack}` : String(error),
      })
    }
  }
  return report
}

const checks: Record<string, (world: World) => Promise<void>> = {
  async 'every published vector has its outcome'({ vectors: { common, cases } }) {
    equal(cases.length > 20, true)
    for (const {
      name,
      header,
      body = common.body,
      secret = common.secret,
      now = common.now,
      reason,
    } of cases) {
      const headers = new Headers(header === null ? {} : { 'x-service-signature': header })
      const toleranceSeconds = common.tolerance_seconds
      const outcome = await webhooks
        .verify({ body: new TextEncoder().encode(body), headers, secret, now, toleranceSeconds })
        .then(() => undefined, reasonOf)
      equal([name, outcome], [name, reason])
    }
  },

  async 'creates, reads, lists, waits for and erases'(world) {
    const { verifications, usage } = createClient(world)
    const metadata = { order: 'Café 🪪' }
    const created = await verifications.create({ template: 'age_over_18', purpose: 'A test', metadata })
    equal(created.status, 'pending')
    equal(created.wallet_uri?.startsWith('openid4vp://'), true)
    equal(await verifications.retrieve(created.id), created)
    equal(await verifications.status(created.id), { id: created.id, status: 'pending' })
    equal((await verifications.list({ limit: 1 })).data, [created])
    await rejects(
      verifications.waitForCompletion(created.id, { timeoutMs: 20, intervalMs: 5 }),
      StillPendingError,
    )
    equal((await usage.retrieve()).verifications_created > 0, true)

    equal((await verifications.delete(created.id)).deleted.verification_sessions, 1)
    const refused = await rejects(verifications.retrieve(created.id), ApiError)
    equal([refused.status, refused.code], [404, 'session_not_found'])
    equal((refused.requestId ?? '').length > 0, true)
  },

  async 'one idempotency key creates once'(world) {
    const { verifications } = createClient(world)
    const idempotencyKey = crypto.randomUUID()
    const input = { template: 'age_over_18' }
    const first = await verifications.create(input, { idempotencyKey })
    equal(await verifications.create(input, { idempotencyKey }), first)
    const reused = await rejects(
      verifications.create({ ...input, ttl_seconds: 60 }, { idempotencyKey }),
      ApiError,
    )
    equal([reused.status, reused.code], [422, 'idempotency_key_reused'])
  },

  async 'walks over every page'(world) {
    const { verifications } = createClient(world)
    const made: string[] = []
    for (let count = 0; count < 5; count += 1)
      made.push((await verifications.create({ template: 'age_over_18' })).id)
    const walked: string[] = []
    for await (const { id } of verifications.listAll({ limit: 2 })) walked.push(id)
    equal(walked.slice(0, 5), made.toReversed())
    equal(new Set(walked).size, walked.length)
  },

  async 'a device is paired, asks, refreshes and is revoked'(world) {
    const { devices } = createClient(world)
    const { device, pairing_code } = await devices.create({
      name: 'Till 1',
      allowed_templates: ['age_over_18'],
    })
    let skewMs = 0
    const till = createDeviceClient({ ...world, store: memoryStore(), now: () => Date.now() + skewMs })
    await rejects(till.verifications.create({ template: 'age_over_18' }), VidimusError)
    equal((await till.pair(pairing_code.toLowerCase())).id, device.id)
    await till.verifications.create({ template: 'age_over_18' })

    skewMs = 3_600_000
    const made = await Promise.all(
      [1, 2, 3].map(() => till.verifications.create({ template: 'age_over_18' })),
    )
    equal(new Set(made.map(({ id }) => id)).size, 3)
    const state = await till.state()
    equal([state.status, state.status === 'paired' && state.device.status], ['paired', 'active'])

    equal((await devices.revoke(device.id)).status, 'revoked')
    const refused = await rejects(till.verifications.create({ template: 'age_over_18' }), ApiError)
    equal(refused.code, 'invalid_api_key')
    equal(
      (await devices.list()).data.some(({ id }) => id === device.id),
      true,
    )
  },

  async 'says when nobody answers, and when the caller does not want to wait'(world) {
    const nobody = createClient({ ...world, baseUrl: 'http://127.0.0.1:1', retries: 0 })
    await rejects(nobody.usage.retrieve(), ConnectionError)
    const reason = new Error('the customer left')
    const left = await createClient(world)
      .usage.retrieve({ signal: AbortSignal.abort(reason) })
      .catch((error: unknown) => error)
    equal(left === reason, true)
  },

  async 'says that there is no IndexedDB where there is none'() {
    if ('indexedDB' in globalThis) return
    const failed = await rejects(
      indexedDbStore().update((stored) => stored),
      VidimusError,
    )
    equal(failed.message.startsWith('There is no IndexedDB here'), true)
  },
}

function reasonOf(error: unknown): string {
  return error instanceof WebhookError ? error.reason : `threw ${String(error)}`
}

async function rejects<E extends Error>(
  promise: Promise<unknown>,
  kind: abstract new (...args: never[]) => E,
): Promise<E> {
  const outcome: unknown = await promise.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )
  if (outcome instanceof kind) return outcome
  throw new Error(`expected a ${kind.name}, got ${String(outcome)} ${JSON.stringify(outcome)}`)
}

function equal(actual: unknown, expected: unknown): void {
  const [is, should] = [JSON.stringify(actual, inOrder), JSON.stringify(expected, inOrder)]
  if (is !== should) throw new Error(`expected ${should}, got ${is}`)
}

/** The order of an object's members says nothing. */
function inOrder(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
