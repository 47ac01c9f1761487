import { listKeys } from '../../../apps/service/src/accounts/api-keys/list-keys.ts'
import { createKey } from '../../../apps/service/src/accounts/api-keys/create-key.ts'
import { revokeKey } from '../../../apps/service/src/accounts/api-keys/roll-key.ts'
import { markUsed } from '../../../apps/service/src/accounts/api-keys/store.ts'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { Refusal } from '../../../apps/service/src/engine/basics/refusal.ts'
import { listTemplates } from '../../../apps/service/src/templates/list-templates.ts'
import { putTemplate } from '../../../apps/service/src/templates/put-template.ts'
import { setQuota } from '../../../apps/service/src/accounts/tenants/quota.ts'
import { getIdentityHash } from '../../../apps/service/src/trust/identity/get-identity.ts'
import {
  addTenantAnchors,
  removeTenantAnchor,
  setTrustPolicy,
} from '../../../apps/service/src/trust/tenant/change-anchors.ts'
import { getTenantTrust } from '../../../apps/service/src/trust/tenant/get-trust.ts'
import { setIdentity } from '../../../apps/service/src/trust/identity/set-identity.ts'
import { findFirstSuccess } from '../../../apps/service/src/verifications/dashboard/list-filtered.ts'
import { resendWebhook } from '../../../apps/service/src/verifications/dashboard/show-webhook.ts'
import { listDeliveries } from '../../../apps/service/src/deliveries/webhooks/log/list-deliveries.ts'
import {
  readSigningSecrets,
  rotateWebhookSecret,
} from '../../../apps/service/src/deliveries/webhooks/secrets/secrets.ts'
import {
  deleteAlertWebhook,
  insertQueued,
  lockAlertWebhook,
  putAlertWebhook,
} from '../../../apps/service/src/deliveries/notifications/webhook/store.ts'
import { claimEvents } from '../../../apps/service/src/deliveries/webhooks/deliver/queue-store.ts'
import { newAccessCertificate } from '../../../apps/service/test/trust/access-certificate.ts'
import { newAuthority, joinPem } from '../../../apps/service/test/trust/authorities.ts'
import { expectEqual } from '../expect-equal.ts'
import { queryStoresWithForeignIds, followAuditOfOneTenant } from './query-stores.ts'
import { checkAuditChains, eraseBesideEntriesOfOther } from './audit.ts'
import { countInAdvance } from './figures.ts'
import { checkListeners } from './listeners.ts'
import { queryLinkStore } from './links.ts'
import { changeTenantAsOperator, showTenantsToOperators } from './operated-tenants.ts'
import { askForErasures } from './erasures.ts'
import { querySealingStores } from './sealing.ts'
import { queryOpenIdStores } from './openid-provider.ts'
import { selectRegistrations } from './registrations.ts'
import { createInOneBatch } from './create-batch.ts'
import { expectOthersUnchanged, expectUnchanged } from '../expect-unchanged.ts'
import { daily_quota, recordRotatedSecret, sharedNames, templateBody } from '../fixture/tenant-fixture.ts'
import type { MatrixPart } from '../matrix-part.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

type Operation = (fixture: IsolationFixture) => Promise<string[]>

const operatorOfOtherTenant = ({ otherTenant }: IsolationFixture) =>
  ({ kind: 'operator', tenant_id: otherTenant.merchant.tenant_id }) as const

/**
 * Operations of commands, the dashboard and the worker that no public route reaches, for one tenant beside others. The audit
 * log comes last, because it contains everything before it.
 */
const operations: Record<string, Operation> = {
  'list keys': async (fixture) => {
    const { otherTenant, service } = fixture
    const keys = await listKeys(service.ctx, operatorOfOtherTenant(fixture))
    const { keys: test, live_keys: live } = otherTenant.listed
    return expectEqual('the keys', keys.map(({ id }) => id).toSorted(), [...test, ...live].toSorted())
  },
  'create a key': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      await createKey(fixture.service.ctx, {
        by: operatorOfOtherTenant(fixture),
        environment: 'test',
        scopes: ['devices:manage'],
      })
      return []
    }),
  "revoke another tenant's key": (fixture) =>
    expectUnchanged(fixture.service, async () => {
      const { victim } = fixture
      return expectRefusal(() =>
        revokeKey(fixture.service.ctx, { by: operatorOfOtherTenant(fixture), key_id: victim.spare_key_id }),
      )
    }),
  'record the use of a key': async (fixture) => {
    const { db } = fixture.service.ctx
    const { tenant_id, key_id } = fixture.otherTenant.merchant
    // Keys of two tenants may have the same id: the tenant is part of the primary key.
    await db.execute(sql`
      insert into api_keys (tenant_id, id, environment, name, hash, prefix, scopes)
      select ${fixture.newTenant.tenant_id}, id, environment, name, sha256(hash), prefix, scopes
      from api_keys where tenant_id = ${tenant_id} and id = ${key_id}`)
    await markUsed(db, [{ tenant_id, id: key_id }])
    const used = await db.query(sql`
      select tenant_id from api_keys where id = ${key_id} and last_used_at is not null`)
    return expectEqual('keys used', used, [{ tenant_id }])
  },
  'list templates': async (fixture) => {
    const { tenant_id } = operatorOfOtherTenant(fixture)
    const own = (await listTemplates(fixture.service.ctx, tenant_id)).filter(({ built_in }) => !built_in)
    return expectEqual(
      'the templates',
      own.map(({ description }) => description),
      [templateBody(tenant_id).description, templateBody(tenant_id).description],
    )
  },
  'change a template': (fixture) =>
    expectOthersUnchanged(
      fixture,
      fixture.otherTenant.merchant,
      async () => {
        const by = operatorOfOtherTenant(fixture)
        await putTemplate(fixture.service.ctx, {
          key: sharedNames.template,
          template: templateBody('another'),
          by,
        })
        const { body } = await fixture.victim.merchant.post('/v1/verifications', {
          template: sharedNames.template,
        })
        const [row] = await fixture.service.ctx.db.query<{ theirs: boolean }>(sql`
        select s.template_version = t.version as theirs from verification_sessions s
        join templates t on t.tenant_id = ${fixture.victim.merchant.tenant_id} and t.key = ${sharedNames.template}
        where s.id = ${body.id}`)
        await fixture.victim.merchant.delete(`/v1/verifications/${body.id}`)
        return expectEqual("the victim's template", row?.theirs, true)
      },
      // The victim's own creation and erasure.
      ['audit_inbox', 'tenant_usage', 'erased_outcomes'],
    ),
  'list deliveries': async (fixture) => {
    const { tenant_id } = operatorOfOtherTenant(fixture)
    const found = await listDeliveries(fixture.service.ctx, { tenant_id, environment: 'test', limit: 100 })
    return expectEqual(
      'deliveries',
      found.map(({ verification_id }) => verification_id),
      [fixture.otherTenant.verifications.delivered.id],
    )
  },
  "resend another tenant's webhook": (fixture) =>
    expectUnchanged(fixture.service, () => {
      const { id } = fixture.victim.verifications.delivered
      return expectRefusal(() =>
        resendWebhook(fixture.service.ctx, { by: operatorOfOtherTenant(fixture), environment: 'test', id }),
      )
    }),
  'rotate and read webhook secrets': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { ctx } = fixture.service
      const { tenant_id } = operatorOfOtherTenant(fixture)
      recordRotatedSecret(
        fixture.otherTenant,
        await rotateWebhookSecret(ctx, { by: operatorOfOtherTenant(fixture), environment: 'test' }),
      )
      const { victim, otherTenant } = fixture
      const count = async (owner: string, endpoint_id = '') =>
        (await readSigningSecrets(ctx, [{ tenant_id: owner, environment: 'test', endpoint_id }]))[0]?.length
      return [
        ...expectEqual('the secrets', await count(tenant_id), 2),
        ...expectEqual("another's secrets", await count(victim.merchant.tenant_id), 2),
        ...expectEqual("an endpoint's secret", await count(tenant_id, otherTenant.endpoint.id), 1),
        ...expectEqual("another's endpoint", await count(tenant_id, victim.endpoint.id), undefined),
      ]
    }),
  'claim events': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { tenant_id } = operatorOfOtherTenant(fixture)
      // The locks on the claimed sessions end with this connection.
      const connection = await fixture.service.ctx.db.connection()
      const claimed = await claimEvents(connection, {
        allocations: [{ tenant_id, host: sharedNames.host, count: 10 }],
        lease: '00000000-0000-0000-0000-000000000001',
        lease_seconds: 30,
      })
      connection.close()
      return expectEqual(
        'claimed',
        claimed.map(({ verification_id, sealed }) => [verification_id, sealed?.split(' ').length]),
        // Both of its own secrets, since the rotation above, and none of another tenant.
        [[fixture.otherTenant.verifications.delivered.id, 2]],
      )
    }),
  'claim alerts': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { db } = fixture.service.ctx
      const { tenant_id } = operatorOfOtherTenant(fixture)
      const receiver = { url: 'https://alerts.example', host: 'alerts.example' }
      await putAlertWebhook(db, { ...receiver, tenant_id, sealed: Buffer.from('theirs'), created_by: null })
      const payload = { type: 'alert.raised', alert: { id: 'an alert' } }
      const events = [{ event_id: 'evt_an_alert', payload }]
      await insertQueued(db, { ...receiver, tenant_id, events, max_waiting: 1 })
      const claimed = await claimEvents(db, {
        allocations: [{ tenant_id, host: receiver.host, count: 10 }],
        lease: '00000000-0000-0000-0000-000000000002',
        lease_seconds: 30,
      })
      const own = await lockAlertWebhook(db, tenant_id)
      await deleteAlertWebhook(db, tenant_id)
      return expectEqual(
        'claimed',
        claimed.map(({ verification_id, sealed }) => [verification_id, sealed]),
        [['evt_an_alert', own?.sealed.toString('base64')]],
      )
    }),
  'change trust anchors': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { ctx } = fixture.service
      const theirs = { kind: 'operator', tenant_id: fixture.victim.merchant.tenant_id } as const
      const given = { environment: 'live', pem: joinPem(newAuthority('A partner').certificate) } as const
      const before = await getTenantTrust(ctx, theirs.tenant_id)
      const [added] = await addTenantAnchors(ctx, { ...given, by: operatorOfOtherTenant(fixture) })
      const known = await getTenantTrust(ctx, theirs.tenant_id)
      const { fingerprint = '' } = added ?? {}
      return [
        ...expectEqual("the victim's trust", known, before),
        ...(await expectRefusal(() =>
          removeTenantAnchor(ctx, { by: theirs, environment: 'live', fingerprint }),
        )),
      ]
    }),
  'set a quota': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      await setQuota(fixture.service.ctx, {
        tenant_id: operatorOfOtherTenant(fixture).tenant_id,
        daily_quota,
      })
      return []
    }),
  'read the outcomes of a new tenant': async ({ service, newTenant: { tenant_id } }) => {
    const { created, completed } = await findFirstSuccess(service.ctx, { tenant_id, environment: 'live' })
    return expectEqual('outcomes of the new tenant', [created, completed], [false, false])
  },
  'count outcomes in advance': countInAdvance,
  'listen for webhooks': checkListeners,
  'select a registration': selectRegistrations,
  'set the verifier identity': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      const { ctx } = fixture.service
      const { tenant_id } = operatorOfOtherTenant(fixture)
      const service = await ctx.identity()
      await setIdentity(ctx, { tenant_id, certificate: newAccessCertificate() })
      const identities = await Promise.all(
        [fixture.victim.merchant.tenant_id, tenant_id].map(async (of) =>
          (await getIdentityHash(ctx, of)).equals(service.hash),
        ),
      )
      return expectEqual('whose identity is the service', identities, [true, false])
    }),
  "query stores with another tenant's ids": queryStoresWithForeignIds,
  'query the store of verification links': queryLinkStore,
  'show tenants to operators': showTenantsToOperators,
  'change a tenant as an operator': changeTenantAsOperator,
  'ask for an erasure as a holder': askForErasures,
  'query the stores of sealing keys and receipts': querySealingStores,
  'query the stores of the OpenID provider': queryOpenIdStores,
  'create for several tenants in one batch': createInOneBatch,
  'erase a verification': eraseBesideEntriesOfOther,
  'chain, verify and export the audit log': checkAuditChains,
  'follow changes': followAuditOfOneTenant,
  'append to one chain': (fixture) =>
    expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
      await setTrustPolicy(fixture.service.ctx, { by: operatorOfOtherTenant(fixture), policy: 'all' })
      await flushAudit(fixture.service.ctx)
      return []
    }),
}

export const operationParts: readonly MatrixPart[] = Object.entries(operations).map(([name, operation]) => ({
  name,
  routes: [],
  run: async (fixture) => ({ cells: 1, faults: await operation(fixture) }),
}))

async function expectRefusal(operation: () => Promise<unknown>): Promise<string[]> {
  try {
    await operation()
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
  return ['the operation was not refused']
}
