import type { Scheduler } from 'fast-check'
import { createDeviceClient, type DeviceClient, type StoredTokens, type TokenStore } from '../src/index.ts'

type Action = 'create' | 'create_twice' | 'time_passes' | 'long_time_passes' | 'pair_again'
type RequestFate = 'delivered' | 'never_arrives' | 'response_lost' | 'refused'
/** A tab performs its actions in order. It crashes at step `dies_at`, if given, and is then reopened. */
type TabPlan = { actions: Action[]; dies_at: number | undefined }
export type SimulationPlan = { tabs: TabPlan[]; fates: readonly RequestFate[] }
export type InjectedFault = 'no_write_ahead' | 'not_atomic' | 'not_durable'

export type SimulationOutcome = {
  /** Refresh tokens that were sent more than once. */
  sent_twice: number
  refreshed: number
  faults: number
  /** 1 if the device is unusable afterwards although no fault occurred. */
  unpaired_without_a_fault: number
}

const day_ms = 86_400_000
const json = { 'content-type': 'application/json' }

/**
 * Simulates the tabs of one device with a shared store and an unreliable service. The scheduler decides the order of all storage, network
 * and timer steps.
 */
export async function simulate(
  scheduler: Scheduler,
  plan: SimulationPlan,
  injected?: InjectedFault,
): Promise<SimulationOutcome> {
  const service = openSimulatedService(plan.fates)
  const storage = openStorage(injected)
  const clock = { now: day_ms }
  await openClient({ clock, service, storage, step: async () => {} }).pair('VD-0000-0000')
  service.begin()

  const tabs = plan.tabs.map(async ({ actions, dies_at }) => {
    const tab = openTab(scheduler, dies_at)
    let client = openClient({ clock, service, storage, step: tab.step })
    for (const action of actions) {
      const outcome = await Promise.race([tab.death, perform(client, action, clock)])
      if (outcome !== 'died') continue
      storage.crash()
      service.faults += 1
      client = openClient({ clock, service, storage, step: openTab(scheduler, undefined).step })
    }
  })
  await scheduler.waitFor(Promise.all(tabs))
  const usable = await createVerification(openClient({ clock, service, storage, step: async () => {} }))
  const { sent, refreshed, faults } = service
  return {
    sent_twice: [...sent.values()].filter((times) => times > 1).length,
    refreshed,
    faults,
    unpaired_without_a_fault: usable || faults > 0 ? 0 : 1,
  }

  async function perform(client: DeviceClient, action: Action, { now }: { now: number }): Promise<'done'> {
    if (action === 'time_passes') clock.now = now + 700_000
    else if (action === 'long_time_passes') clock.now = now + 1_000_000
    else if (action === 'pair_again') await client.pair('VD-0000-0000').catch(() => {})
    else
      await Promise.all(
        action === 'create'
          ? [createVerification(client)]
          : [createVerification(client), createVerification(client)],
      )
    return 'done'
  }
}

async function createVerification(client: DeviceClient): Promise<boolean> {
  try {
    await client.verifications.create({ template: 'x' })
    return true
  } catch {
    return false // The plan caused it, or the counts below reveal it.
  }
}

type Step = (what: string) => Promise<void>

/** The steps of one tab. After its crash no step ever completes. */
function openTab(scheduler: Scheduler, dies_at: number | undefined) {
  const { promise: death, resolve: markDead } = Promise.withResolvers<'died'>()
  let steps = 0
  const step: Step = async (what) => {
    await scheduler.schedule(Promise.resolve(), what)
    steps += 1
    if (dies_at === undefined || steps < dies_at) return
    markDead('died')
    await new Promise(() => {})
  }
  return { step, death }
}

type TabContext = {
  clock: { now: number }
  service: ReturnType<typeof openSimulatedService>
  storage: ReturnType<typeof openStorage>
  step: Step
}

function openClient({ clock, service, storage, step }: TabContext): DeviceClient {
  return createDeviceClient({
    baseUrl: 'http://service',
    store: storage.storeFor(step),
    now: () => clock.now,
    retries: 1,
    sleep: async (ms) => {
      await step('sleep')
      clock.now += ms
    },
    fetch: async (url, init) => {
      const reply = service.handle(url, init, clock.now)
      await step('request')
      const response = reply()
      await step('response')
      return response()
    },
  })
}

function openStorage(injected: InjectedFault | undefined) {
  let stored: StoredTokens | undefined
  let before: StoredTokens | undefined
  return {
    crash() {
      if (injected === 'not_durable') stored = before
    },
    storeFor: (step: Step): TokenStore => ({
      async update(change) {
        await step('store')
        const current = stored
        if (injected === 'not_atomic') await step('between read and write')
        const next = change(current)
        before = current
        if (injected !== 'no_write_ahead' || next?.refresh.state !== 'taken') stored = next
        await step('stored')
        return next
      },
    }),
  }
}

/** The service's token rules: a refresh token works once, and using a spent one revokes the device. */
function openSimulatedService(fates: readonly RequestFate[]) {
  const devices = new Map<string, { generation: number; revoked: boolean; expires: number }>()
  let requestCount = 0
  let hasBegun = false
  const service = {
    sent: new Map<string, number>(),
    refreshed: 0,
    faults: 0,
    begin: () => (hasBegun = true),

    /** Decides whether a request reaches the service, and whether its response reaches the tab. */
    handle(url: string, init: RequestInit, now: number): () => () => Response {
      const fate = hasBegun ? (fates[requestCount++ % Math.max(1, fates.length)] ?? 'delivered') : 'delivered'
      if (fate !== 'delivered') service.faults += 1
      const body = JSON.parse(init.body as string) // The client sends JSON.
      if (typeof body.refresh_token === 'string') {
        service.sent.set(body.refresh_token, (service.sent.get(body.refresh_token) ?? 0) + 1)
      }
      return () => {
        if (fate === 'never_arrives') return failFetch
        if (fate === 'refused') return () => refusalReply(503, 'overloaded')
        const reply = respondTo(new URL(url).pathname, body, new Headers(init.headers), now)
        return fate === 'response_lost' ? failFetch : () => reply
      }
    },
  }
  return service

  function respondTo(
    path: string,
    body: { refresh_token?: string },
    headers: Headers,
    now: number,
  ): Response {
    if (path === '/v1/devices/enroll') return issueTokens(`d${devices.size}`, 0, now)
    if (path === '/v1/verifications') return createVerificationReply(headers.get('authorization') ?? '', now)
    if (body.refresh_token === undefined) return refusalReply(400, 'invalid_request')
    const [, id = '', generation = ''] = body.refresh_token.split('.')
    const device = devices.get(id)
    if (device === undefined || device.revoked) return refusalReply(400, 'invalid_refresh_token')
    if (Number(generation) !== device.generation) {
      device.revoked = true
      return refusalReply(400, 'invalid_refresh_token')
    }
    service.refreshed += 1
    return issueTokens(id, device.generation + 1, now)
  }

  function createVerificationReply(authorization: string, now: number): Response {
    const [, id = '', expires = ''] = authorization.split('.')
    if (devices.get(id)?.revoked !== false) return refusalReply(401, 'invalid_api_key')
    return now < Number(expires) ? new Response('{}', { status: 201 }) : refusalReply(401, 'api_key_expired')
  }

  function issueTokens(id: string, generation: number, now: number): Response {
    const expires = now + 900_000
    devices.set(id, { generation, revoked: false, expires })
    const pair = {
      // As in the service, two tokens issued at the same time are identical.
      access_token: `vd_.${id}.${expires}`,
      refresh_token: `vdr_.${id}.${generation}`,
      token_type: 'Bearer',
      expires_in: 900,
      refresh_expires_in: 2_592_000,
      device: { id },
    }
    return new Response(JSON.stringify(pair), { headers: json })
  }
}

function refusalReply(status: number, code: string): Response {
  return new Response(JSON.stringify({ error: { code, message: code } }), { status, headers: json })
}

function failFetch(): never {
  throw new TypeError('fetch failed')
}
