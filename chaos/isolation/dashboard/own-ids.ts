import type { DashboardOperation } from '@vidimus/contract'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import { createKey } from '../../../apps/service/src/accounts/api-keys/create-key.ts'
import { signIn } from '../../../apps/service/test/sign-in/browser.ts'
import { newAccessCertificate } from '../../../apps/service/test/trust/access-certificate.ts'
import { joinPem, newAuthority } from '../../../apps/service/test/trust/authorities.ts'
import { newRegistration } from '../../../apps/service/test/trust/registrations.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { expectOthersUnchanged } from '../expect-unchanged.ts'
import { expectEqual } from '../expect-equal.ts'
import type { MatrixPart } from '../matrix-part.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'
import { requestBodies } from './foreign-ids.ts'
import {
  deviceBody,
  endpointBody,
  linkBody,
  openIdClientBody,
  sharedNames,
} from '../fixture/tenant-fixture.ts'
import { addPasskey, sessionIdOf, signInAgain } from './member-sessions.ts'
import { routesWithIds, type NamedRoute } from './routes.ts'

/** The requester's own objects are found by id, and duplicates in other tenants do not change. */
export const ownIdParts: readonly MatrixPart[] = routesWithIds.map(([operation, route]) => ({
  name: `dashboard.${operation}: one's own`,
  routes: [`dashboard.${operation}`],
  run: async (fixture) => ({ cells: 1, faults: await tryOwnId([operation, route], fixture) }),
}))

async function tryOwnId([operation, route]: NamedRoute, fixture: IsolationFixture): Promise<string[]> {
  return expectOthersUnchanged(fixture, fixture.otherTenant.merchant, async () => {
    const id = await ownIds[operation]?.(fixture)
    if (id === undefined) throw new Error(`the matrix has no id of its own for ${operation}`)
    const { status } = await fixture.otherTenant.team.owner.call(operation, {
      params: { environment: 'test', id, key: id, kid: id, fingerprint: id, attempt: '1' },
      ...(operation === 'retireSealingKey' && { query: { end_sealing: 'true' } }),
      ...(route.json !== undefined && { body: requestBodies[operation] }),
    })
    return expectEqual('the status', status, route.success.status)
  })
}

/** For each route, the id of an object that `otherTenant` owns. */
const ownIds: Partial<Record<DashboardOperation, (fixture: IsolationFixture) => string | Promise<string>>> = {
  removePasskey: async ({ otherTenant }) => (await addPasskey(otherTenant.team.owner)).id,
  endSession: async (fixture) => sessionIdOf(await signInAgain(fixture, fixture.otherTenant.team.owner)),
  revokeKey: ({ otherTenant }) => otherTenant.spare_key_id,
  changeWebhookEndpoint: ({ otherTenant }) => otherTenant.endpoint.id,
  rotateWebhookEndpointSecret: ({ otherTenant }) => otherTenant.endpoint.id,
  // The matrix runs in the order of the routes, so one is deleted that no later route needs.
  deleteWebhookEndpoint: async ({ otherTenant }) =>
    (await otherTenant.merchant.post('/v1/webhook_endpoints', endpointBody)).body.endpoint.id,
  rollKey: async ({ service, otherTenant }) => {
    const by = { kind: 'operator', tenant_id: otherTenant.merchant.tenant_id } as const
    return (await createKey(service.ctx, { by, environment: 'test', scopes: ['verifications:read'] })).key_id
  },
  getLink: ({ otherTenant }) => otherTenant.link,
  changeLink: ({ otherTenant }) => otherTenant.link,
  // One that no later route needs.
  deleteLink: async ({ otherTenant }) =>
    (await otherTenant.merchant.post('/v1/verification_links', linkBody)).body.id,
  // Results cannot be sealed while a client would get them. Retiring the key lets the later routes make clients again.
  activateSealingKey: async ({ service, otherTenant }) => {
    const { tenant_id } = otherTenant.merchant
    await service.ctx.db.execute(sql`
      update openid_clients set environment = 'live', name = 'Away: ' || name
      where tenant_id = ${tenant_id} and environment = 'test'`)
    await service.ctx.db.execute(sql`
      update devices set allowed_templates = '{age_over_18}' where tenant_id = ${tenant_id} and environment = 'test'`)
    await service.ctx.db.execute(sql`
      update sealing_keys set challenge_hash = sha256('the answer')
      where tenant_id = ${tenant_id} and kid = ${otherTenant.sealing_key}`)
    return otherTenant.sealing_key
  },
  retireSealingKey: async ({ service, otherTenant }) => {
    await service.ctx.db.execute(sql`
      update openid_clients set environment = 'test', name = substr(name, 7)
      where tenant_id = ${otherTenant.merchant.tenant_id} and name like 'Away: %'`)
    return otherTenant.sealing_key
  },
  changeOpenIdClient: ({ otherTenant }) => otherTenant.openid_client,
  rollOpenIdClientSecret: ({ otherTenant }) => otherTenant.openid_client,
  // One that no later route needs.
  deleteOpenIdClient: async ({ otherTenant }) => {
    const params = { environment: 'test' }
    const { body } = await otherTenant.team.owner.call('createOpenIdClient', {
      params,
      body: openIdClientBody,
    })
    return body.client.id
  },
  getDelivery: ({ otherTenant }) => otherTenant.verifications.delivered.id,
  revealPayload: ({ otherTenant }) => otherTenant.verifications.delivered.id,
  resendWebhook: ({ otherTenant }) => otherTenant.verifications.delivered.id,
  revokeDevice: ({ otherTenant }) => otherTenant.unpaired.id,
  changeDevice: ({ otherTenant }) => otherTenant.other_till.id,
  renewPairingCode: ({ otherTenant }) => otherTenant.other_till.id,
  getVerification: ({ otherTenant }) => otherTenant.verifications.completed.id,
  getReceipt: async ({ service, otherTenant }) => {
    await flushAudit(service.ctx)
    return otherTenant.verifications.delivered.id
  },
  revealClaims: ({ otherTenant }) => otherTenant.verifications.completed.id,
  refuseErasureRequest: ({ otherTenant }) => otherTenant.verifications.expired.id,
  eraseVerification: ({ otherTenant }) => otherTenant.verifications.failed.id,
  getTemplate: ({ otherTenant }) => otherTenant.own_template,
  duplicateTemplate: ({ otherTenant }) => otherTenant.own_template,
  deleteTemplate: async ({ otherTenant }) => {
    await otherTenant.team.owner.call('duplicateTemplate', {
      params: { key: 'age_over_18' },
      body: { key: 'to_delete' },
    })
    return 'to_delete'
  },
  withdrawInvitation: ({ otherTenant }) => otherTenant.invitation.id,
  listMemberAccess: ({ otherTenant }) => otherTenant.team.developer.id,
  changeRole: ({ otherTenant }) => otherTenant.team.support.id,
  // An admin who set up something of every kind.
  removeMember: async ({ service, otherTenant }) => {
    const { tenant_id } = otherTenant.merchant
    const admin = await signIn(service, { tenant_id, role: 'admin', email: 'leaving@example.com' })
    const here = { params: { environment: 'test' } }
    const { chain, key } = newAccessCertificate()
    const made = [
      await admin.call('createKey', { ...here, body: { name: 'Shop', scopes: ['verifications:read'] } }),
      await admin.call('registerDevice', { ...here, body: deviceBody('leaving') }),
      await admin.call('createOpenIdClient', { ...here, body: openIdClientBody }),
      await admin.call('createWebhookEndpoint', { ...here, body: endpointBody }),
      await admin.call('setAlertWebhook', { body: { url: 'https://8.8.8.8/leaving' } }),
      await admin.call('addAnchors', {
        ...here,
        body: { pem: joinPem(newAuthority('Leaving').certificate) },
      }),
      await admin.call('changeIdentity', { body: { certificate: { chain, key } } }),
    ]
    const refused = made.find(({ status }) => status >= 300)
    if (refused !== undefined) throw new Error(`the admin could not set up everything: ${refused.text}`)
    return (await admin.call('getMe')).body.member.id
  },
  removeAnchor: ({ otherTenant }) => otherTenant.anchor,
  getRegistration: ({ otherTenant }) => otherTenant.registration.id,
  changeRegistration: ({ otherTenant }) => otherTenant.registration.id,
  checkRegistration: ({ otherTenant }) => otherTenant.registration.id,
  // All tenants have a template with this key, and it names a registration.
  assignRegistration: () => sharedNames.template,
  removeRegistration: async ({ otherTenant }) =>
    (
      await otherTenant.team.owner.call('addRegistration', {
        body: { certificate: newRegistration({ purpose: 'To remove' }) },
      })
    ).body.id,
}
