import { createHash } from 'node:crypto'
import { requireUnsealed } from '../../../apps/service/src/accounts/sealing-keys/get-sealing.ts'
import {
  deleteOldRetired,
  deletePendingKey,
  deleteSealingKeys,
  insertSealingKey,
  markActive,
  markRetired,
  readSealingKeys,
} from '../../../apps/service/src/accounts/sealing-keys/store.ts'
import { getTenantSettings } from '../../../apps/service/src/accounts/tenants/tenant-settings.ts'
import { readAllowedTemplates } from '../../../apps/service/src/devices/lookup-store.ts'
import { dayOfVerificationId } from '../../../apps/service/src/engine/basics/ids.ts'
import { sql } from '../../../apps/service/src/engine/db/sql.ts'
import { readClientTemplates } from '../../../apps/service/src/holder/openid-provider/clients/store.ts'
import {
  countByVersion,
  readReceipt,
  readReceiptPage,
} from '../../../apps/service/src/verifications/receipts/store.ts'
import { countSealedTo } from '../../../apps/service/src/verifications/retention/store.ts'
import { newSealingKey } from '../../../apps/service/test/sealing.ts'
import { expectEqual } from '../expect-equal.ts'
import { expectUnchanged } from '../expect-unchanged.ts'
import type { IsolationFixture } from '../fixture/isolation-fixture.ts'

const environment = 'test' as const
const opened = createHash('sha256').update('opened').digest()

/** Calls the stores of sealing keys and receipts for one tenant with the ids of another. Tenants may register the same key. */
export async function querySealingStores(fixture: IsolationFixture): Promise<string[]> {
  const { service, victim, newTenant } = fixture
  const { db } = service.ctx
  const { publicJwk: jwk, kid } = await newSealingKey()
  const tenants = [victim.merchant, newTenant].map(({ tenant_id }) => ({ tenant_id, environment }))
  const [theirs, ours] = tenants
  if (theirs === undefined || ours === undefined) throw new Error('there are two tenants')
  const key = { kid, jwk, name: null, challenge_hash: opened, challenge_seconds: 60 }
  await insertSealingKey(db, { ...theirs, ...key })
  const unchanged = await expectUnchanged(service, async () => {
    const foreign = { ...ours, kid }
    await deletePendingKey(db, foreign)
    await deleteSealingKeys(db, ours)
    await deleteOldRetired(db, ours, 0)
    return [
      ...expectEqual('activating', await markActive(db, { ...foreign, challenge_hash: opened }), undefined),
      ...expectEqual('retiring', await markRetired(db, foreign), false),
      ...expectEqual('its keys', await readSealingKeys(db, ours), []),
    ]
  })
  await markActive(db, { ...theirs, kid, challenge_hash: opened })
  const sealed = await expectUnchanged(service, async () => {
    await db.transaction((tx) => requireUnsealed(tx, ours, 'Nothing is.'))
    return [
      ...expectEqual('retiring an active key', await markRetired(db, { ...ours, kid }), false),
      ...expectEqual('its settings', (await getTenantSettings(db, ours.tenant_id, undefined)).sealing, []),
      ...expectEqual(
        'its sealed results',
        await countSealedTo(db, { ...ours, kid, from: '2020-01-01T00:00:00Z', to: null }, 10),
        { count: 0, more: false },
      ),
      ...expectEqual('its clients', await readClientTemplates(db, { ...ours, limit: 10 }), []),
      ...expectEqual('templates of its devices', await readAllowedTemplates(db, ours), []),
      ...(await queryReceipts(fixture)),
    ]
  })
  await db.execute(sql`delete from sealing_keys where tenant_id = ${theirs.tenant_id} and kid = ${kid}`)
  return [...unchanged, ...sealed]
}

async function queryReceipts({ service, victim, newTenant }: IsolationFixture): Promise<string[]> {
  const { db } = service.ctx
  const { id } = victim.verifications.delivered
  const day = dayOfVerificationId(id) ?? ''
  const theirs = { tenant_id: victim.merchant.tenant_id, environment, day }
  const page = { after: '', limit: 10 }
  return [
    ...expectEqual('their receipt', (await readReceipt(db, { ...theirs, id }))?.id, id),
    ...(
      await Promise.all(
        [
          { ...theirs, tenant_id: newTenant.tenant_id },
          { ...theirs, environment: 'live' },
        ].map(async (foreign) => [
          ...expectEqual('a receipt of another', await readReceipt(db, { ...foreign, id }), undefined),
          ...expectEqual(
            'receipts of another',
            (await readReceiptPage(db, { ...foreign, ...page })).map((row) => row.id),
            [],
          ),
        ]),
      )
    ).flat(),
    ...expectEqual(
      'counts of a tenant that has nothing in live',
      await countByVersion(db, { ...theirs, tenant_id: newTenant.tenant_id, environment: 'live' }),
      [],
    ),
  ]
}
