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

/** The inputs of the suite: a running service and the published test vectors. */
export type SuiteInput = {
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
export type SuiteReport = { passed: string[]; failed: { name: string; why: string }[] }

/**
 * Runs on every runtime, so it uses only what all of them have: no test framework, no files, no process. It tests the published package
 * against a real service.
 */
export async function runSuite(target: SuiteInput): Promise<SuiteReport> {
  const report: SuiteReport = { passed: [], failed: [] }
  for (const [name, check] of Object.entries(checks)) {
    try {
      await check(target)
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

const checks: Record<string, (target: SuiteInput) => Promise<void>> = {
  async 'every published test vector has the expected result'({ vectors: { common, cases } }) {
    assertEqual(cases.length > 20, true)
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
      assertEqual([name, outcome], [name, reason])
    }
  },

  async 'creates, reads, lists, waits for and erases a verification'(target) {
    const { verifications, templates, usage } = createClient(target)
    const metadata = { order: 'Café 🪪' }
    const created = await verifications.create({ template: 'age_over_18', purpose: 'A test', metadata })
    assertEqual(created.status, 'pending')
    assertEqual(created.wallet_uri?.startsWith('openid4vp://'), true)
    assertEqual(await verifications.retrieve(created.id), created)
    assertEqual(await verifications.status(created.id), { id: created.id, status: 'pending' })
    assertEqual((await verifications.list({ limit: 1 })).data, [created])
    assertEqual((await verifications.list({ metadata, limit: 1 })).data, [created])
    assertEqual((await verifications.list({ metadata: { order: 'another' } })).data, [])
    assertEqual(
      (await verifications.list({ status: 'completed', createdAfter: created.created_at })).data,
      [],
    )
    assertEqual(
      (await templates.list()).data.some(({ key }) => key === 'age_over_18'),
      true,
    )
    await assertRejects(
      verifications.waitForCompletion(created.id, { timeoutMs: 20, intervalMs: 5 }),
      StillPendingError,
    )
    assertEqual((await usage.retrieve()).verifications_created > 0, true)

    assertEqual((await verifications.delete(created.id)).deleted.verification_sessions, 1)
    const refused = await assertRejects(verifications.retrieve(created.id), ApiError)
    assertEqual([refused.status, refused.code], [404, 'session_not_found'])
    assertEqual((refused.requestId ?? '').length > 0, true)
  },

  async 'an idempotency key creates one verification'(target) {
    const { verifications } = createClient(target)
    const idempotencyKey = crypto.randomUUID()
    const input = { template: 'age_over_18' }
    const first = await verifications.create(input, { idempotencyKey })
    assertEqual(await verifications.create(input, { idempotencyKey }), first)
    const reused = await assertRejects(
      verifications.create({ ...input, ttl_seconds: 60 }, { idempotencyKey }),
      ApiError,
    )
    assertEqual([reused.status, reused.code], [422, 'idempotency_key_reused'])
  },

  async 'iterates over all pages'(target) {
    const { verifications } = createClient(target)
    const created: string[] = []
    for (let count = 0; count < 5; count += 1)
      created.push((await verifications.create({ template: 'age_over_18' })).id)
    const listed: string[] = []
    for await (const { id } of verifications.listAll({ limit: 2 })) listed.push(id)
    assertEqual(listed.slice(0, 5), created.toReversed())
    assertEqual(new Set(listed).size, listed.length)
  },

  async 'a device is paired, creates verifications, refreshes and is revoked'(target) {
    const { devices } = createClient(target)
    const { device, pairing_code } = await devices.create({
      name: 'Till 1',
      allowed_templates: ['age_over_18'],
    })
    let skew_ms = 0
    const till = createDeviceClient({ ...target, store: memoryStore(), now: () => Date.now() + skew_ms })
    await assertRejects(till.verifications.create({ template: 'age_over_18' }), VidimusError)
    assertEqual((await till.pair(pairing_code.toLowerCase())).id, device.id)
    await till.verifications.create({ template: 'age_over_18' })

    skew_ms = 3_600_000
    const created = await Promise.all(
      [1, 2, 3].map(() => till.verifications.create({ template: 'age_over_18' })),
    )
    assertEqual(new Set(created.map(({ id }) => id)).size, 3)
    const state = await till.state()
    assertEqual([state.status, state.status === 'paired' && state.device.status], ['paired', 'active'])

    assertEqual((await devices.revoke(device.id)).status, 'revoked')
    const refused = await assertRejects(till.verifications.create({ template: 'age_over_18' }), ApiError)
    assertEqual(refused.code, 'invalid_api_key')
    assertEqual(
      (await devices.list()).data.some(({ id }) => id === device.id),
      true,
    )
  },

  async 'reports an unreachable service and an aborted call'(target) {
    const unreachable = createClient({ ...target, baseUrl: 'http://127.0.0.1:1', retries: 0 })
    await assertRejects(unreachable.usage.retrieve(), ConnectionError)
    const reason = new Error('the customer left')
    const thrown = await createClient(target)
      .usage.retrieve({ signal: AbortSignal.abort(reason) })
      .catch((error: unknown) => error)
    assertEqual(thrown === reason, true)
  },

  async 'reports missing IndexedDB'() {
    if ('indexedDB' in globalThis) return
    const failed = await assertRejects(
      indexedDbStore().update((stored) => stored),
      VidimusError,
    )
    assertEqual(failed.message.startsWith('IndexedDB is not available here'), true)
  },
}

function reasonOf(error: unknown): string {
  return error instanceof WebhookError ? error.reason : `threw ${String(error)}`
}

async function assertRejects<E extends Error>(
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

function assertEqual(actual: unknown, expected: unknown): void {
  const [actualText, expectedText] = [
    JSON.stringify(actual, sortMembers),
    JSON.stringify(expected, sortMembers),
  ]
  if (actualText !== expectedText) throw new Error(`expected ${expectedText}, got ${actualText}`)
}

/** Sorts the members of objects, because their order does not matter. */
function sortMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
