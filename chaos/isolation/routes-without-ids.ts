import type { managementRoutes, routes } from '@vidimus/contract'
import { indexVerifications } from '../../apps/service/src/verifications/metadata/index-verifications.ts'
import type { Caller } from '../../apps/service/test/caller.ts'
import { expectOthersUnchanged, expectUnchanged } from './expect-unchanged.ts'
import { expectEqual } from './expect-equal.ts'
import { deviceBody, endpointBody, sharedNames, type TenantFixture } from './fixture/tenant-fixture.ts'
import type { MatrixPart } from './matrix-part.ts'
import type { IsolationFixture } from './fixture/isolation-fixture.ts'

const withSharedKey = { headers: { 'idempotency-key': sharedNames.idempotency_key } }

/** What keys manage has parts of its own, with the dashboard's trials. */
type Name = Exclude<keyof typeof routes, keyof typeof managementRoutes>
type WithoutId = { [N in Name]: (typeof routes)[N]['path'] extends `${string}{${string}` ? never : N }[Name]

/** Returns the problems with a route's responses to another tenant than the victim. */
type RouteTrial = (fixture: IsolationFixture) => Promise<string[]>

/**
 * Routes without an id in their path: each caller finds all of its own data there and nothing else. The type makes the
 * compiler reject a missing route.
 */
const trials = {
  listVerifications: async ({ service, victim, otherTenant }) => {
    const faults = [...(await checkVerificationLists(victim)), ...(await checkVerificationLists(otherTenant))]
    // Before and after the worker has indexed what both tenants have in their metadata.
    for (const index of [async () => undefined, () => indexVerifications(service.ctx)]) {
      await index()
      faults.push(...(await checkFoundByMetadata(victim)), ...(await checkFoundByMetadata(otherTenant)))
    }
    return faults
  },
  getUsage: async ({ otherTenant, idleTenant }) => {
    const { verifications_created, recent } = (await otherTenant.merchant.get('/v1/usage')).body
    const [yesterday] = (await idleTenant.get('/v1/usage')).body.recent
    return [
      ...expectEqual('the usage', [verifications_created, recent.length], [countCreated(otherTenant), 1]),
      ...expectEqual("yesterday's usage", yesterday.verifications_created, 1),
    ]
  },
  getTillSettings: async ({ otherTenant }) => {
    const { merchant, till } = otherTenant
    const { name } = (await merchant.get('/v1/devices/till')).body.merchant
    const shown = (await till.as.get('/v1/devices/till')).body
    return expectEqual('the settings of the till', shown, {
      merchant: { name },
      test: true,
      keep_awake: false,
      pin: false,
      edited_languages_only: false,
    })
  },
  checkPin: async ({ service, otherTenant }) =>
    expectUnchanged(service, async () => {
      const { status, body } = await otherTenant.till.as.post('/v1/devices/till/pin', { pin: '4711' })
      return expectEqual('a till without a PIN', [status, body.correct], [200, true])
    }),
  listTemplates: async ({ victim, otherTenant, newTenant }) => {
    const own = async (tenant: Caller): Promise<string[]> =>
      (await tenant.get('/v1/templates')).body.data
        .filter(({ built_in }: { built_in: boolean }) => !built_in)
        .map(({ key, version }: { key: string; version: string }) => `${key} ${version}`)
    const [of_victim, of_other] = [await own(victim.merchant), await own(otherTenant.merchant)]
    return [
      ...expectEqual(
        'the templates of two tenants',
        of_victim.filter((each) => of_other.includes(each)),
        [],
      ),
      ...expectEqual("the new tenant's templates", await own(newTenant), []),
    ]
  },
  listDevices: async ({ victim, otherTenant }) => [
    ...(await checkDeviceLists(victim)),
    ...(await checkDeviceLists(otherTenant)),
  ],
  registerDevice: async (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async (tenant) => {
      const { status, body } = await tenant.post('/v1/devices', deviceBody('another'))
      fixture.otherTenant.listed.devices.unshift(body.device.id)
      return expectEqual('registering', status, 201)
    }),
  createVerification: async (fixture) => [
    ...(await expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async (tenant) => {
      const { body } = await tenant.post('/v1/verifications', sharedNames.request, withSharedKey)
      return expectEqual('a replay', body.id, fixture.otherTenant.verifications.pending.id)
    })),
    // Idempotency keys, bodies and templates of other tenants do not affect a new tenant.
    ...(await expectOthersUnchanged(fixture, fixture.newTenant, async (tenant) => {
      const first = await tenant.post('/v1/verifications', sharedNames.request, withSharedKey)
      const others = Object.values(fixture.victim.verifications).map(({ id }) => id)
      const without = await tenant.post('/v1/verifications', { template: sharedNames.template })
      return [
        ...expectEqual('a first creation', [first.status, others.includes(first.body.id)], [201, false]),
        ...expectEqual("another's template", without.body.error?.code, 'unknown_template'),
        ...expectEqual('a suggestion', /Did you mean/.test(without.body.error?.message), false),
        ...expectEqual('the count', (await tenant.get('/v1/usage')).body.verifications_created, 1),
        ...expectEqual("the new tenant's devices", (await tenant.get('/v1/devices')).body.data, []),
      ]
    })),
  ],
  listWebhookEndpoints: async ({ victim, otherTenant }) => [
    ...(await checkEndpointLists(victim)),
    ...(await checkEndpointLists(otherTenant)),
  ],
  createWebhookEndpoint: async (fixture) =>
    expectOthersUnchanged(fixture, fixture.newTenant, async (tenant) => {
      const { status, body } = await tenant.post('/v1/webhook_endpoints', endpointBody)
      const listed = (await tenant.get('/v1/webhook_endpoints')).body.data
      await tenant.delete(`/v1/webhook_endpoints/${body.endpoint.id}`)
      return [
        ...expectEqual('creating', status, 201),
        ...expectEqual('the endpoints', listed, [body.endpoint]),
      ]
    }),
  getConfig: async ({ victim, otherTenant, newTenant }) => {
    const exported = async (tenant: Caller): Promise<string> => (await tenant.get('/v1/config')).text
    const [others, empty] = [await exported(otherTenant.merchant), await exported(newTenant)]
    return [
      ...expectEqual("another's template", others.includes(victim.own_template), false),
      ...expectEqual('its own template', others.includes(otherTenant.own_template), true),
      ...expectEqual("the new tenant's templates", JSON.parse(empty).templates, {}),
    ]
  },
  applyConfig: async (fixture) =>
    expectOthersUnchanged(fixture, fixture.newTenant, async (tenant) => {
      const { text: before, body: own } = await tenant.get('/v1/config')
      // Everything of the victim, by its own names, and away again. A client would leave an issuer, which the new tenant must not have.
      const { body: exported } = await fixture.victim.merchant.get('/v1/config')
      const document = { ...exported, openid_clients: [] }
      const applied = await tenant.request('PUT', '/v1/config?prune=true', { body: document })
      const became = (await tenant.get('/v1/config')).body
      const restored = await tenant.request('PUT', '/v1/config?prune=true', { body: own })
      return [
        ...expectEqual('applying', [applied.status, applied.body.applied], [200, true]),
        ...expectEqual('the copy', became, document),
        ...expectEqual('restoring', [restored.status, restored.body.applied], [200, true]),
        ...expectEqual('the configuration', (await tenant.get('/v1/config')).text, before),
      ]
    }),
  enrollDevice: async ({ service }) =>
    expectUnchanged(service, () =>
      expectSameRefusal(service.anonymous, '/v1/devices/enroll', 'pairing_code'),
    ),
  refreshDeviceToken: async ({ service }) =>
    expectUnchanged(service, () =>
      expectSameRefusal(service.anonymous, '/v1/devices/token', 'refresh_token'),
    ),
} satisfies Record<WithoutId, RouteTrial>

export const routesWithoutIdsParts: readonly MatrixPart[] = Object.entries<RouteTrial>(trials).map(
  ([name, trial]) => ({
    name,
    routes: [name as WithoutId], // a key of the trials
    run: async (fixture) => ({ cells: 1, faults: await trial(fixture) }),
  }),
)

async function checkVerificationLists({
  merchant,
  live,
  till,
  other_till,
  live_till,
  listed,
  verifications,
}: TenantFixture) {
  const ids = (tenant: Caller) => listIds(tenant, '?limit=100')
  return [
    ...expectEqual('the list', await ids(merchant), listed.test),
    ...expectEqual('the live list', await ids(live), listed.live),
    ...expectEqual("the device's list", await ids(till.as), [verifications.created_by_device.id]),
    ...expectEqual("another device's list", await ids(other_till.as), []),
    ...expectEqual("the live device's list", await ids(live_till.as), []),
  ]
}

const [[sharedName, sharedValue] = []] = Object.entries(sharedNames.metadata)
const byMetadata = `?metadata[${sharedName}]=${sharedValue}`

/** Each tenant has one verification with the same metadata: it finds its own, where it may see it. */
async function checkFoundByMetadata({ merchant, live, till, team, verifications }: TenantFixture) {
  const own = [verifications.completed.id]
  const inDashboard = async (environment: string) => {
    const params = { environment }
    const list = await team.owner.call('listVerifications', {
      params,
      query: { metadata: `${sharedName}=${sharedValue}` },
    })
    const found = await team.owner.call('search', { params, query: { text: sharedValue ?? '' } })
    const download = await team.owner.call('exportVerifications', {
      params,
      query: { metadata: `=${sharedValue}` },
    })
    return [
      ...[list.body.data, found.body.verifications].map((rows) => rows.map(({ id }: { id: string }) => id)),
      download.text
        .split('\r\n')
        .slice(1, -1)
        .map((line: string) => line.split(',')[0]),
    ]
  }
  return [
    ...expectEqual('found by metadata', await listIds(merchant, byMetadata), own),
    ...expectEqual('found in live', await listIds(live, byMetadata), []),
    ...expectEqual('found by a device', await listIds(till.as, byMetadata), []),
    ...expectEqual('found in the dashboard', await inDashboard('test'), [own, own, own]),
    ...expectEqual('found in live in the dashboard', await inDashboard('live'), [[], [], []]),
  ]
}

async function listIds(tenant: Caller, query: string): Promise<string[]> {
  return (await tenant.get(`/v1/verifications${query}`)).body.data.map(({ id }: { id: string }) => id)
}

async function checkDeviceLists({ merchant, live, listed }: TenantFixture) {
  const ids = async (tenant: Caller) =>
    (await tenant.get('/v1/devices')).body.data.map(({ id }: { id: string }) => id)
  return [
    ...expectEqual('the devices', await ids(merchant), listed.devices),
    ...expectEqual('the live devices', await ids(live), listed.live_devices),
  ]
}

async function checkEndpointLists({ merchant, live, endpoint, live_endpoint }: TenantFixture) {
  const ids = async (tenant: Caller) =>
    (await tenant.get('/v1/webhook_endpoints')).body.data.map(({ id }: { id: string }) => id)
  return [
    ...expectEqual('the endpoints', await ids(merchant), [endpoint.id]),
    ...expectEqual('the live endpoints', await ids(live), [live_endpoint.id]),
  ]
}

/** The verifications of both environments and the erased one, because erasing does not refund quota. */
function countCreated({ listed }: TenantFixture): number {
  return listed.test.length + listed.live.length + 1
}

/** Unknown codes and tokens all get the same response. */
async function expectSameRefusal(client: Caller, path: string, field: string): Promise<string[]> {
  const responses = new Set<string>()
  for (const value of ['VD-0000-0000', 'x', 'vdr_0', '0'.repeat(32)]) {
    const { status, text } = await client.post(path, { [field]: value })
    responses.add(`${status} ${text}`)
  }
  return expectEqual('distinct responses to unknown codes', responses.size, 1)
}
