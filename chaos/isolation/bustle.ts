import type { Environment } from '@vidimus/contract'
import { flushAudit } from '../../apps/service/src/audit/flush.ts'
import {
  createAnsweredVerification,
  createVerification,
  deviceBody,
  insertDeliveryAttempt,
  recordRotatedSecret,
  sharedNames,
  templateBody,
  type TenantFixture,
} from './household.ts'
import type { IsolationFixture } from './world.ts'

/** A household does one of everything that a page tells of, in these environments. */
export async function generateActivity(
  { service }: IsolationFixture,
  tenant: TenantFixture,
  environments: readonly Environment[],
): Promise<void> {
  const { ctx } = service
  const { merchant, live, team } = tenant
  const { owner } = team
  const testService = { ctx, address: () => service.address }
  const callAsOwner = async (...[operation, call]: Parameters<typeof owner.call>) => {
    const { status, text, body } = await owner.call(operation, call)
    if (status > 201) throw new Error(`${operation} came to nothing: ${text}`)
    return body
  }
  const deliveredSession = await createAnsweredVerification(testService, merchant, {
    webhook_url: `https://${sharedNames.host}/results`,
  })
  await createAnsweredVerification(testService, merchant, {}, { behaviour: 'declines' })
  await insertDeliveryAttempt(ctx, {
    tenant_id: merchant.tenant_id,
    id: deliveredSession.id,
    outcome: 'delivered',
  })
  recordRotatedSecret(tenant, (await callAsOwner('rotateWebhookSecret')).secret)
  await callAsOwner('inviteMember', { body: { email: 'another@example.com', role: 'admin' } })
  await callAsOwner('putTemplate', {
    params: { key: 'another' },
    body: { template: templateBody('another') },
  })
  await callAsOwner('changeBrand', { body: { display_name: `The brand of ${merchant.tenant_id}` } })
  await callAsOwner('changePolicies', { body: { retention_days: 17, status_unavailable: 'warning' } })
  await callAsOwner('changeIdentity', { body: { verifier_info: '[{"format":"jwt","data":"x"}]' } })
  await callAsOwner('changeMe', { body: { name: 'A new name' } })
  for (const environment of environments) {
    const params = { environment }
    await callAsOwner('createKey', { params, body: { name: 'another', scopes: ['devices:manage'] } })
    await callAsOwner('registerDevice', { params, body: deviceBody('another') })
    if (environment === 'live') await createVerification(live)
  }
  await flushAudit(ctx)
}
