import { findKey, readKeyNames } from '../../../apps/service/src/accounts/api-keys/store.ts'
import { followAudit } from '../../../apps/service/src/audit/follow.ts'
import { flushAudit } from '../../../apps/service/src/audit/advance.ts'
import { readDeviceNames } from '../../../apps/service/src/devices/lookup-store.ts'
import { readMemberNames } from '../../../apps/service/src/accounts/members/store.ts'
import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import { findDetail } from '../../../apps/service/src/verifications/dashboard/store.ts'
import { bindTranscript } from '../../../apps/service/src/verifications/wallet/store.ts'
import type { Db } from '../../../apps/service/src/engine/db/index.ts'
import {
  findQueuedEvent,
  readAttemptsOfEvents,
  readQueuedEvents,
} from '../../../apps/service/src/deliveries/webhooks/log/log-store.ts'
import { readLatestAttempts } from '../../../apps/service/src/deliveries/webhooks/log/read-latest-attempts.ts'
import { expectEqual } from '../expect-equal.ts'
import { deviceBody, insertDeliveryAttempt } from '../fixture/tenant-fixture.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

/** Calls store functions directly with another tenant's ids. Use cases call them only after another check has passed. */
export async function queryStoresWithForeignIds({
  service,
  otherTenant,
  victim,
}: IsolationFixture): Promise<string[]> {
  const { db } = service.ctx
  const where = { tenant_id: otherTenant.merchant.tenant_id, environment: 'test' } as const
  const { id } = victim.verifications.delivered
  const pending = victim.verifications.pending.id
  const bindForeign = (tx: Db) =>
    bindTranscript(tx, {
      ...where,
      id: pending,
      day: dayOfVerificationId(pending) ?? '',
      hash: Buffer.alloc(32),
    })
  return [
    ...expectEqual(
      "another's event",
      await findQueuedEvent(db, { ...where, verification_id: id, endpoint_id: '' }),
      undefined,
    ),
    ...expectEqual(
      "another's events",
      [
        await readAttemptsOfEvents(db, {
          ...where,
          events: [{ verification_day: dayOfVerificationId(id) ?? '', verification_id: id, endpoint_id: '' }],
          limit: 1,
        }),
        await readQueuedEvents(db, { ...where, events: [{ verification_id: id, endpoint_id: '' }] }),
      ],
      [[], []],
    ),
    ...expectEqual(
      "another's verification",
      await findDetail(db, { ...where, id, day: dayOfVerificationId(id) ?? '' }),
      undefined,
    ),
    ...expectEqual("a reader's session at another's verification", await db.transaction(bindForeign), false),
    ...expectEqual("another's key", await findKey(db, { ...where, id: victim.spare_key_id }), undefined),
    ...expectEqual(
      "names of another's keys, devices and members",
      [
        await readKeyNames(db, { ...where, ids: [victim.spare_key_id] }),
        await readDeviceNames(db, { ...where, ids: victim.listed.devices }),
        await readMemberNames(db, { ...where, ids: [victim.team.owner.id] }),
      ],
      [[], [], []],
    ),
  ]
}

/** A follower of one tenant sees only that tenant's entries, before and after they are chained. */
export async function followAuditOfOneTenant({
  service,
  otherTenant,
  victim,
}: IsolationFixture): Promise<string[]> {
  const { ctx } = service
  const { tenant_id } = otherTenant.merchant
  await flushAudit(ctx)
  const follower = followAudit(ctx)
  const next = async () => Array.from(await follower.next([tenant_id]), ([of, actions]) => [of, [...actions]])
  await next()
  const attempts = async () => [...(await readLatestAttempts(ctx, [tenant_id]))]
  const newest = await attempts()
  const { id } = victim.verifications.pending
  await insertDeliveryAttempt(ctx, { tenant_id: victim.merchant.tenant_id, id, outcome: 'failed' })
  const own = [[tenant_id, ['device.registered']]]
  const faults = [...expectEqual('the newest attempt', await attempts(), newest)]
  for (const time of ['at once', 'when chained']) {
    for (const { merchant } of [victim, otherTenant]) await merchant.post('/v1/devices', deviceBody(time))
    if (time === 'when chained') await flushAudit(ctx)
    faults.push(...expectEqual(`changes seen ${time}`, await next(), own))
  }
  return faults
}
