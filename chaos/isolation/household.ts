import type { Role } from '@vidimus/contract'
import type { Context } from '../../apps/service/src/context.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { putTemplate } from '../../apps/service/src/templates/put.ts'
import { addTenantAnchors } from '../../apps/service/src/trust/tenant/add-anchors.ts'
import { rotateWebhookSecret } from '../../apps/service/src/webhooks/secrets/rotate-secret.ts'
import { newAuthority, joinPem } from '../../apps/service/test/trust/authorities.ts'
import { signIn, tokenFromLink, type SignedInBrowser } from '../../apps/service/test/sign-in/browser.ts'
import { caller, type Caller } from '../../apps/service/test/caller.ts'
import { newMerchant, type Merchant } from '../../apps/service/test/service.ts'
import { openWallet, type WalletOptions } from '../../apps/service/test/wallet.ts'

/** Where people live: a service that may listen elsewhere each time the world is entered. */
export type ServiceHandle = { ctx: Context; address: () => string }

/** A session with what its owner knows of it. */
export type OwnedSession = { id: string; code?: string }

type PairedDevice = { id: string; token: string; as: Caller }

/** A member with a browser that is signed in. */
export type TenantMember = SignedInBrowser & { id: string }

/** A tenant with one of everything in its test environment, and a session and a device in the live one. */
export type TenantFixture = {
  merchant: Merchant
  /** Its secrets that sign, the newest first. */
  webhook_secrets: string[]
  /** Keys that no request is made with. */
  spare_key_id: string
  revoked_key_id: string
  live: Caller & { key_id: string }
  sessions: Record<'pending' | 'completed' | 'failed' | 'lapsed' | 'told' | 'made_by_till', OwnedSession>
  live_session: OwnedSession
  erased: OwnedSession
  till: PairedDevice
  other_till: PairedDevice
  unpaired: { id: string }
  live_till: PairedDevice
  team: Record<Role, TenantMember>
  /** Whose membership has ended, with its session. */
  removed: TenantMember
  invitation: { id: string; token: string; email: string }
  withdrawn_invitation_id: string
  /** A template whose key no other tenant uses. */
  own_template: string
  /** The fingerprint of an authority that it alone believes. */
  anchor: string
  /** Every session, device and key that is listed, newest first. */
  listed: Record<'test' | 'live' | 'devices' | 'live_devices' | 'keys' | 'live_keys', string[]>
}

/** The same for all, so that a look-up without its tenant would find the wrong one. */
export const sharedNames = {
  template: 'house_rules',
  idempotency_key: 'order-1',
  host: 'hooks.example',
  request: { template: 'age_over_18', ttl_seconds: 3600 },
}

/** As no plan and nobody's double has it. */
export const daily_quota = 1234

const age = { template: 'age_over_18', ttl_seconds: 3600 }

export async function createTenantFixture(service: ServiceHandle, name: string): Promise<TenantFixture> {
  const { ctx } = service
  const merchant = await newMerchant(ctx, service.address, { daily_quota })
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await ctx.db.execute(sql`update tenants set name = ${name} where id = ${merchant.tenant_id}`)
  const live = await merchant.as({ environment: 'live' })
  const { key_id: spare_key_id } = await merchant.as({})
  const { key_id: revoked_key_id } = await merchant.as({})
  const own_template = `of_${merchant.tenant_id.slice(0, 8)}`
  for (const key of [sharedNames.template, own_template])
    await putTemplate(ctx, { key, template: templateBody(merchant.tenant_id), by })
  const pem = joinPem(newAuthority(`The authority of ${name}`).certificate)
  const [own] = await addTenantAnchors(ctx, { by, environment: 'test', pem })
  const webhook_secrets = [await rotateWebhookSecret(ctx, { by }), merchant.webhook_secret]

  const till = await pairDevice(service, merchant)
  const other_till = await pairDevice(service, merchant)
  const live_till = await pairDevice(service, live)
  const unpaired = (await merchant.post('/v1/devices', deviceBody('unpaired'))).body.device
  const sessions = {
    pending: await createVerification(merchant, sharedNames.request, {
      'idempotency-key': sharedNames.idempotency_key,
    }),
    completed: await createAnsweredVerification(service, merchant, { redirect_url: 'https://shop.example/' }),
    failed: await createAnsweredVerification(service, merchant, {}, { behaviour: 'declines' }),
    lapsed: await createVerification(merchant, { ttl_seconds: 60 }),
    told: await createAnsweredVerification(service, merchant, {
      webhook_url: `https://${sharedNames.host}/results`,
    }),
    made_by_till: await createVerification(till.as, { purpose: 'made by a till' }),
  }
  const live_session = await createVerification(live)
  const erased = await createVerification(merchant)
  await merchant.delete(`/v1/verifications/${erased.id}`)
  await insertDeliveryAttempt(ctx, { tenant_id: merchant.tenant_id, id: sessions.told.id, outcome: 'failed' })
  return {
    merchant,
    webhook_secrets,
    spare_key_id,
    revoked_key_id,
    live,
    sessions,
    live_session,
    erased,
    till,
    other_till,
    unpaired,
    live_till,
    own_template,
    anchor: own?.fingerprint ?? '',
    ...(await createTeam(service, merchant.tenant_id, revoked_key_id)),
    listed: {
      test: Object.values(sessions)
        .map(({ id }) => id)
        .toReversed(),
      live: [live_session.id],
      devices: [unpaired.id, other_till.id, till.id],
      live_devices: [live_till.id],
      keys: [revoked_key_id, spare_key_id, merchant.key_id],
      live_keys: [live.key_id],
    },
  }
}

type Team = Pick<TenantFixture, 'team' | 'removed' | 'invitation' | 'withdrawn_invitation_id'>

/** Somebody in every role, somebody who was, somebody who is asked to come and somebody who no longer is. */
async function createTeam(service: ServiceHandle, tenant_id: string, revoked_key_id: string): Promise<Team> {
  const signInMember = async (role: Role, email = `${role}@example.com`): Promise<TenantMember> => {
    const browser = await signIn(service, { tenant_id, role, email })
    return { ...browser, id: (await browser.call('getMe')).body.member.id }
  }
  const [owner, admin, developer, support, auditor] = [
    await signInMember('owner'),
    await signInMember('admin'),
    await signInMember('developer'),
    await signInMember('support'),
    await signInMember('auditor'),
  ]
  const removed = await signInMember('owner', 'removed@example.com')
  await owner.call('removeMember', { params: { id: removed.id } })
  await owner.call('revokeKey', { params: { environment: 'test', id: revoked_key_id } })
  const invite = async (email: string) =>
    (await owner.call('inviteMember', { body: { email, role: 'support' } })).body
  const withdrawn = (await invite('withdrawn@example.com')).invitation.id
  await owner.call('withdrawInvitation', { params: { id: withdrawn } })
  const email = 'invited@example.com'
  const { invitation, link } = await invite(email)
  return {
    team: { owner, admin, developer, support, auditor },
    removed,
    invitation: { id: invitation.id, token: tokenFromLink(link), email },
    withdrawn_invitation_id: withdrawn,
  }
}

export async function createVerification(
  merchant: Caller,
  more: object = {},
  headers: Record<string, string> = {},
) {
  return (await merchant.post('/v1/verifications', { ...age, ...more }, { headers })).body
}

/** A verification that a wallet has answered. */
export async function createAnsweredVerification(
  { ctx, address }: ServiceHandle,
  merchant: Caller,
  body: object,
  holder: WalletOptions = {},
): Promise<OwnedSession> {
  const { id, wallet_uri } = await createVerification(merchant, body)
  const wallet = await openWallet(ctx, address, holder)
  const responded = await wallet.respond(wallet_uri)
  const code = responded.answered ? /response_code=([\w-]+)/.exec(responded.body)?.[1] : undefined
  return { id, ...(code !== undefined && { code }) }
}

type DeliveryAttempt = { tenant_id: string; id: string; outcome: 'failed' | 'delivered' }

/** An attempt to deliver, as the worker would log it. */
export async function insertDeliveryAttempt(
  { db }: Pick<Context, 'db'>,
  { tenant_id, id, outcome }: DeliveryAttempt,
): Promise<void> {
  await db.execute(sql`
    insert into webhook_deliveries (session_day, session_id, attempt, tenant_id, environment, attempted_at, outcome)
    values (service_day(), ${id}, 1, ${tenant_id}, 'test', service_now(), ${outcome})`)
}

async function pairDevice({ address }: ServiceHandle, merchant: Caller): Promise<PairedDevice> {
  const { pairing_code } = (await merchant.post('/v1/devices', deviceBody('till'))).body
  const { body } = await caller(address).post('/v1/devices/enroll', { pairing_code })
  return { id: body.device.id, token: body.access_token, as: caller(address, body.access_token) }
}

/** Notes a secret that signs from now on, beside the one before it. */
export function recordRotatedSecret({ webhook_secrets }: TenantFixture, secret: string): void {
  webhook_secrets.unshift(secret)
  webhook_secrets.length = 2
}

export function deviceBody(name: string) {
  return { name, allowed_templates: ['age_over_18', sharedNames.template] }
}

/** Differs from tenant to tenant by its description alone. */
export function templateBody(tenant_id: string) {
  return {
    name: 'House rules',
    description: `The rules of ${tenant_id}`,
    query: { credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values: ['urn:eudi:pid:1'] } }] },
  }
}
