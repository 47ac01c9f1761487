import type { Environment } from '@vidimus/contract'
import { flushAudit } from '../../apps/service/src/audit/flush.ts'
import {
  answer,
  create,
  deviceOf,
  noteDelivery,
  rotated,
  shared,
  templateOf,
  type Household,
} from './household.ts'
import type { World } from './world.ts'

/** A household does one of everything that a page tells of, in these environments. */
export async function bustle(
  { service }: World,
  household: Household,
  environments: readonly Environment[],
): Promise<void> {
  const { ctx } = service
  const { merchant, live, team } = household
  const { owner } = team
  const place = { ctx, address: () => service.address }
  const act = async (...[operation, call]: Parameters<typeof owner.call>) => {
    const { status, text, body } = await owner.call(operation, call)
    if (status > 201) throw new Error(`${operation} came to nothing: ${text}`)
    return body
  }
  const told = await answer(place, merchant, { webhook_url: `https://${shared.host}/results` })
  await answer(place, merchant, {}, { behaviour: 'declines' })
  await noteDelivery(ctx, { tenant_id: merchant.tenant_id, id: told.id, outcome: 'delivered' })
  rotated(household, (await act('rotateWebhookSecret')).secret)
  await act('inviteMember', { body: { email: 'another@example.com', role: 'admin' } })
  await act('putTemplate', { params: { key: 'another' }, body: { template: templateOf('another') } })
  await act('changeBrand', { body: { display_name: `The brand of ${merchant.tenant_id}` } })
  await act('changePolicies', { body: { retention_days: 17, status_unavailable: 'warning' } })
  await act('changeIdentity', { body: { verifier_info: '[{"format":"jwt","data":"x"}]' } })
  await act('changeMe', { body: { name: 'A new name' } })
  for (const environment of environments) {
    const params = { environment }
    await act('createKey', { params, body: { name: 'another', scopes: ['devices:manage'] } })
    await act('registerDevice', { params, body: deviceOf('another') })
    if (environment === 'live') await create(live)
  }
  await flushAudit(ctx)
}
