import { maxRetiredSealingKeys } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { lockMaker } from '../api-keys/create-key.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import {
  type SealingKeyKey,
  deleteOldRetired,
  deletePendingKey,
  deleteSealingKeys,
  markRetired,
  readActiveKeyPage,
  readSealingKeys,
} from './store.ts'

type RetireKey = Omit<SealingKeyKey, 'tenant_id'> & {
  by: NewAuditEntry['by']
  end_sealing: boolean | undefined
}

/**
 * Stops sealing to a key. Earlier results stay sealed to it. After the last active key results would be stored unsealed, so that has to be
 * asked for by name. A pending key is deleted.
 */
export async function retireSealingKey(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, environment, kid, end_sealing = false }: RetireKey,
): Promise<void> {
  const of = { tenant_id: by.tenant_id, environment }
  await db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_settings')
    await lockPlanLimits(tx, by.tenant_id)
    const keys = await readSealingKeys(tx, of)
    const key = keys.find((each) => each.kid === kid)
    if (key === undefined) throw notFound('sealing_key_not_found')
    if (key.state === 'retired') return
    if (key.state === 'pending') return deletePendingKey(tx, { ...of, kid })
    const isLast = keys.every((each) => each.kid === kid || each.state !== 'active')
    if (isLast && !end_sealing)
      throw new Refusal(
        'sealing_conflict',
        'This is the last active key. Activate another one first; or give end_sealing=true, and results are stored unsealed.',
      )
    await markRetired(tx, { ...of, kid })
    if (isLast) await deleteSealingKeys(tx, of)
    else await deleteOldRetired(tx, of, maxRetiredSealingKeys)
    await appendAudit(tx, {
      action: 'sealing_key.retired',
      by,
      detail: { environment, kid, sealing_ended: isLast },
    })
    await ledger.record(tx, [{ kind: 'sealing_key', id: ledgerId({ ...of, kid }) }])
  })
}

function ledgerId({ tenant_id, environment, kid }: SealingKeyKey): string {
  return `${tenant_id} ${environment} ${kid}`
}

/** Keys that were retired. A restored database that has no other active key refuses verifications, and never stores claims unsealed. */
export const endedSealingKeys: EndedRows<SealingKeyKey> = {
  kind: 'sealing_key',
  readPage: readActiveKeyPage,
  ledgerIds: (key) => [ledgerId(key)],
  async end(tx, key) {
    const { tenant_id, environment, kid } = key
    await markRetired(tx, key)
    await appendAudit(tx, {
      action: 'sealing_key.retired',
      by: { kind: 'operator', tenant_id },
      detail: { environment, kid, cause: 'restore' },
    })
  },
}
