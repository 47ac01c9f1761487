import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { putTemplate } from '../../apps/service/src/templates/put.ts'
import { rotateWebhookSecret } from '../../apps/service/src/webhooks/rotate-secret.ts'
import { caller, type Caller } from '../../apps/service/test/caller.ts'
import { turnClock } from '../../apps/service/test/clock.ts'
import { startService, type Merchant, type Service } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'

/** A session with what its owner knows of it. */
export type Session = { id: string; code?: string }

type Device = { id: string; token: string; as: Caller }

/** A tenant with one of everything in its test environment, and a session and a device in the live one. */
export type Household = {
  merchant: Merchant
  /** Keys that no request is made with. */
  spare_key_id: string
  live: Caller & { key_id: string }
  sessions: Record<'pending' | 'completed' | 'failed' | 'lapsed' | 'told' | 'made_by_till', Session>
  live_session: Session
  erased: Session
  till: Device
  other_till: Device
  unpaired: { id: string }
  live_till: Device
  /** Every session and device that is listed, newest first. */
  listed: { test: string[]; live: string[]; devices: string[]; live_devices: string[] }
}

export type World = {
  service: Service
  victim: Household
  stranger: Household
  /** A tenant whose last creation was yesterday: whatever another does, its day is not turned. */
  sleeper: Merchant
  /** A tenant that has not done anything yet. */
  newcomer: Merchant
} & AsyncDisposable

/** The same for all, so that a look-up without its tenant would find the wrong one. */
export const shared = {
  template: 'house_rules',
  idempotency_key: 'order-1',
  host: 'hooks.example',
  request: { template: 'age_over_18', ttl_seconds: 3600 },
}

const age = { template: 'age_over_18', ttl_seconds: 3600 }

export async function openWorld(beforeUse: (service: Service) => Promise<void>): Promise<World> {
  const service = await startService()
  await beforeUse(service)
  const sleeper = await service.tenant()
  await sleeper.post('/v1/verifications', age)
  await service.ctx.db.execute(sql`
    update tenant_usage set day = day - 1, last_created_at = last_created_at - interval '1 day'
    where tenant_id = ${sleeper.tenant_id}`)
  const victim = await settle(service)
  const stranger = await settle(service)
  const newcomer = await service.tenant()
  await service.ctx.db.execute(sql`
    insert into usage_days (tenant_id, day, used) values (${victim.merchant.tenant_id}, service_day() - 2, 5)`)
  await turnClock(service.ctx.db, '61 seconds')
  return {
    service,
    victim,
    stranger,
    sleeper,
    newcomer,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

async function settle(service: Service): Promise<Household> {
  const { ctx } = service
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const live = await merchant.as({ environment: 'live' })
  const { key_id: spare_key_id } = await merchant.as({})
  await putTemplate(ctx, { key: shared.template, template: templateOf(merchant.tenant_id), by })
  await rotateWebhookSecret(ctx, { by })

  const create = async (who: Caller, more: object = {}, headers: Record<string, string> = {}) =>
    (await who.post('/v1/verifications', { ...age, ...more }, { headers })).body
  const answer = async (body: object, holder: object = {}): Promise<Session> => {
    const { id, wallet_uri } = await create(merchant, body)
    const wallet = await openWallet(ctx, service.address, holder)
    const responded = await wallet.respond(wallet_uri)
    const code = responded.answered ? /response_code=([\w-]+)/.exec(responded.body)?.[1] : undefined
    return { id, ...(code !== undefined && { code }) }
  }

  const till = await pair(service, merchant)
  const other_till = await pair(service, merchant)
  const live_till = await pair(service, live)
  const unpaired = (await merchant.post('/v1/devices', deviceOf('unpaired'))).body.device
  const sessions = {
    pending: await create(merchant, shared.request, { 'idempotency-key': shared.idempotency_key }),
    completed: await answer({ redirect_url: 'https://shop.example/' }),
    failed: await answer({}, { behaviour: 'declines' }),
    lapsed: await create(merchant, { ttl_seconds: 60 }),
    told: await answer({ webhook_url: `https://${shared.host}/results` }),
    made_by_till: await create(till.as, { purpose: 'made by a till' }),
  }
  const live_session = await create(live)
  const erased = await create(merchant)
  await merchant.delete(`/v1/verifications/${erased.id}`)
  await ctx.db.execute(sql`
    insert into webhook_deliveries (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome)
    values (service_day(), ${sessions.told.id}, 1, ${merchant.tenant_id}, 'test', service_now(), 'failed')`)
  return {
    merchant,
    spare_key_id,
    live,
    sessions,
    live_session,
    erased,
    till,
    other_till,
    unpaired,
    live_till,
    listed: {
      test: Object.values(sessions)
        .map(({ id }) => id)
        .toReversed(),
      live: [live_session.id],
      devices: [unpaired.id, other_till.id, till.id],
      live_devices: [live_till.id],
    },
  }
}

async function pair({ address, anyone }: Service, merchant: Caller): Promise<Device> {
  const { pairing_code } = (await merchant.post('/v1/devices', deviceOf('till'))).body
  const { body } = await anyone.post('/v1/devices/enroll', { pairing_code })
  return { id: body.device.id, token: body.access_token, as: caller(address, body.access_token) }
}

export function deviceOf(name: string) {
  return { name, allowed_templates: ['age_over_18', shared.template] }
}

/** Differs from tenant to tenant by its description alone. */
export function templateOf(tenant_id: string) {
  return {
    name: 'House rules',
    description: `The rules of ${tenant_id}`,
    query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] },
  }
}
