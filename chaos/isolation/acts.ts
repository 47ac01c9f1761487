import { listKeys } from '../../apps/service/src/api-keys/list.ts'
import { createKey } from '../../apps/service/src/api-keys/create.ts'
import { revokeKey } from '../../apps/service/src/api-keys/revoke.ts'
import { markUsed } from '../../apps/service/src/api-keys/store.ts'
import { flushAudit } from '../../apps/service/src/audit/flush.ts'
import { sql } from '../../apps/service/src/platform/db/sql.ts'
import { Refusal } from '../../apps/service/src/platform/refusal.ts'
import { listTemplates } from '../../apps/service/src/templates/list.ts'
import { putTemplate } from '../../apps/service/src/templates/put.ts'
import { setQuota } from '../../apps/service/src/tenants/set-quota.ts'
import { getIdentityHash } from '../../apps/service/src/trust/identity/get-identity-hash.ts'
import { addTenantAnchors } from '../../apps/service/src/trust/tenant/add-anchors.ts'
import { getTenantTrust } from '../../apps/service/src/trust/tenant/get.ts'
import { removeTenantAnchor } from '../../apps/service/src/trust/tenant/remove-anchor.ts'
import { setTrustPolicy } from '../../apps/service/src/trust/tenant/set-policy.ts'
import { setIdentity } from '../../apps/service/src/trust/identity/set-identity.ts'
import { getOutcomes } from '../../apps/service/src/verifications/dashboard/get-outcomes.ts'
import { resendWebhook } from '../../apps/service/src/verifications/dashboard/resend-webhook.ts'
import { listDeliveries } from '../../apps/service/src/webhooks/log/list-deliveries.ts'
import { readSigningSecrets } from '../../apps/service/src/webhooks/secrets/read-secrets.ts'
import { rotateWebhookSecret } from '../../apps/service/src/webhooks/secrets/rotate-secret.ts'
import { claimEvents } from '../../apps/service/src/webhooks/store.ts'
import { newAuthority, joinPem } from '../../apps/service/test/trust/authorities.ts'
import { expected } from './expected.ts'
import { askStores, followApart } from './asked-directly.ts'
import { auditApart, eraseBesideTwins } from './audit-apart.ts'
import { listenApart } from './listeners.ts'
import { oneBatch } from './one-batch.ts'
import { aside, still } from './aside.ts'
import { daily_quota, rotated, shared, templateOf } from './household.ts'
import type { Unit } from './unit.ts'
import type { World } from './world.ts'

type Act = (world: World) => Promise<string[]>

const operatorOf = ({ stranger }: World) =>
  ({ kind: 'operator', tenant_id: stranger.merchant.tenant_id }) as const

/**
 * What no published route reaches but commands, the dashboard and the worker do, for one tenant beside others. The audit
 * comes last: it tells of all that went before.
 */
const acts: Record<string, Act> = {
  'keys are listed': async (world) => {
    const { stranger, service } = world
    const keys = await listKeys(service.ctx, operatorOf(world))
    const { keys: test, live_keys: live } = stranger.listed
    return expected('the keys', keys.map(({ id }) => id).toSorted(), [...test, ...live].toSorted())
  },
  'a key is made': (world) =>
    aside(world, world.stranger.merchant, async () => {
      await createKey(world.service.ctx, {
        by: operatorOf(world),
        environment: 'test',
        scopes: ['devices:manage'],
      })
      return []
    }),
  "another's key is revoked": (world) =>
    still(world.service, async () => {
      const { victim } = world
      return refused(() =>
        revokeKey(world.service.ctx, { by: operatorOf(world), key_id: victim.spare_key_id }),
      )
    }),
  'the use of a key is noted': async (world) => {
    const { db } = world.service.ctx
    const { tenant_id, key_id } = world.stranger.merchant
    // Two tenants' keys may have one id: the tenant is part of what names a key.
    await db.execute(sql`
      insert into api_keys (tenant_id, id, environment, name, hash, prefix, scopes)
      select ${world.newcomer.tenant_id}, id, environment, name, sha256(hash), prefix, scopes
      from api_keys where tenant_id = ${tenant_id} and id = ${key_id}`)
    await markUsed(db, [{ tenant_id, id: key_id }])
    const used = await db.query(sql`
      select tenant_id from api_keys where id = ${key_id} and last_used_at is not null`)
    return expected('keys used', used, [{ tenant_id }])
  },
  'templates are listed': async (world) => {
    const { tenant_id } = operatorOf(world)
    const own = (await listTemplates(world.service.ctx, tenant_id)).filter(({ built_in }) => !built_in)
    return expected(
      'the templates',
      own.map(({ description }) => description),
      [templateOf(tenant_id).description, templateOf(tenant_id).description],
    )
  },
  'a template is changed': (world) =>
    aside(
      world,
      world.stranger.merchant,
      async () => {
        const by = operatorOf(world)
        await putTemplate(world.service.ctx, { key: shared.template, template: templateOf('another'), by })
        const { body } = await world.victim.merchant.post('/v1/verifications', { template: shared.template })
        const [row] = await world.service.ctx.db.query<{ theirs: boolean }>(sql`
        select s.template_version = t.version as theirs from verification_sessions s
        join templates t on t.tenant_id = ${world.victim.merchant.tenant_id} and t.key = ${shared.template}
        where s.id = ${body.id}`)
        await world.victim.merchant.delete(`/v1/verifications/${body.id}`)
        return expected("the victim's template", row?.theirs, true)
      },
      ['audit_inbox', 'tenant_usage'],
    ),
  'deliveries are listed': async (world) => {
    const { tenant_id } = operatorOf(world)
    const found = await listDeliveries(world.service.ctx, { tenant_id, environment: 'test', limit: 100 })
    return expected(
      'deliveries',
      found.map(({ session_id }) => session_id),
      [world.stranger.sessions.told.id],
    )
  },
  "another's webhook is sent again": (world) =>
    still(world.service, () => {
      const { id } = world.victim.sessions.told
      return refused(() =>
        resendWebhook(world.service.ctx, { by: operatorOf(world), environment: 'test', id }),
      )
    }),
  'secrets are rotated and read': (world) =>
    aside(world, world.stranger.merchant, async () => {
      const { ctx } = world.service
      const { tenant_id } = operatorOf(world)
      rotated(world.stranger, await rotateWebhookSecret(ctx, { by: operatorOf(world) }))
      const count = async (...of: string[]) =>
        Array.from(await readSigningSecrets(ctx, of), ([owner, each]) => [owner, each.length])
      const theirs = world.victim.merchant.tenant_id
      return [
        ...expected('the secrets', await count(tenant_id), [[tenant_id, 2]]),
        ...expected("another's secrets", await count(theirs), [[theirs, 2]]),
      ]
    }),
  'events are claimed': (world) =>
    aside(world, world.stranger.merchant, async () => {
      const { tenant_id } = operatorOf(world)
      const claimed = await claimEvents(world.service.ctx.db, {
        allocations: [{ tenant_id, host: shared.host, room: 10 }],
        lease: '00000000-0000-0000-0000-000000000001',
        lease_seconds: 30,
      })
      return expected(
        'claimed',
        claimed.map(({ session_id }) => session_id),
        [world.stranger.sessions.told.id],
      )
    }),
  'whom it believes is set': (world) =>
    aside(world, world.stranger.merchant, async () => {
      const { ctx } = world.service
      const theirs = { kind: 'operator', tenant_id: world.victim.merchant.tenant_id } as const
      const given = { environment: 'live', pem: joinPem(newAuthority('A partner').certificate) } as const
      const before = await getTenantTrust(ctx, theirs.tenant_id)
      const [added] = await addTenantAnchors(ctx, { ...given, by: operatorOf(world) })
      const known = await getTenantTrust(ctx, theirs.tenant_id)
      const { fingerprint = '' } = added ?? {}
      return [
        ...expected("the victim's trust", known, before),
        ...(await refused(() => removeTenantAnchor(ctx, { by: theirs, environment: 'live', fingerprint }))),
      ]
    }),
  'a quota is set': (world) =>
    aside(world, world.stranger.merchant, async () => {
      await setQuota(world.service.ctx, { tenant_id: operatorOf(world).tenant_id, daily_quota })
      return []
    }),
  'nothing is known of who never did anything': async ({ service, newcomer: { tenant_id } }) => {
    const { created, completed } = await getOutcomes(service.ctx, { tenant_id, environment: 'live' })
    return expected('what was done', [created, completed], [false, false])
  },
  'listeners hear their own': listenApart,
  'who asks is set': (world) =>
    aside(world, world.stranger.merchant, async () => {
      const { ctx } = world.service
      const { tenant_id } = operatorOf(world)
      await setIdentity(ctx, { tenant_id, verifier_info: '[{"format":"jwt","data":"x"}]' })
      const asks = await Promise.all(
        [world.victim.merchant.tenant_id, tenant_id].map(
          async (of) => (await getIdentityHash(ctx, of)).length,
        ),
      )
      return expected('what names who asks', asks, [32, 64])
    }),
  "stores are asked with another's ids": askStores,
  'a batch creates for several': oneBatch,
  'a verification is erased': eraseBesideTwins,
  'the audit is chained, checked and exported': auditApart,
  'changes are followed': followApart,
  'one chain moves': (world) =>
    aside(world, world.stranger.merchant, async () => {
      await setTrustPolicy(world.service.ctx, { by: operatorOf(world), policy: 'all' })
      await flushAudit(world.service.ctx)
      return []
    }),
}

export const actUnits: readonly Unit[] = Object.entries(acts).map(([name, act]) => ({
  name,
  routes: [],
  run: async (world) => ({ cells: 1, faults: await act(world) }),
}))

async function refused(act: () => Promise<unknown>): Promise<string[]> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
  return ['was not refused']
}
