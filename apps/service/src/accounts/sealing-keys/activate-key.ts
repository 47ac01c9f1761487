import type { SealingKey } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { lockMaker } from '../api-keys/create-key.ts'
import { lockPlanLimits } from '../tenants/store.ts'
import { viewSealingKey } from './list-keys.ts'
import { hashOpened } from './register-key.ts'
import { type SealingKeyKey, markActive, readSealingKeys } from './store.ts'

type ActivateKey = Omit<SealingKeyKey, 'tenant_id'> & {
  by: NewAuditEntry['by']
  challenge: string
  /** Throws if something would have to read the claims that will be sealed. Nothing of the kind is made meanwhile. */
  requireSealable: (tx: Db) => Promise<void>
}

/** Activates a key whose owner has opened the challenge. Responses that are verified from now on are sealed to it. */
export async function activateSealingKey(
  { db }: Pick<Context, 'db'>,
  { by, environment, kid, challenge, requireSealable }: ActivateKey,
): Promise<SealingKey> {
  const { tenant_id } = by
  return db.transaction(async (tx) => {
    await lockMaker(tx, by, 'manage_settings')
    await lockPlanLimits(tx, tenant_id)
    const key = { tenant_id, environment, kid }
    if ((await readSealingKeys(tx, key)).every((each) => each.kid !== kid))
      throw notFound('sealing_key_not_found')
    await requireSealable(tx)
    const row = await markActive(tx, { ...key, challenge_hash: hashOpened(challenge) })
    if (row === undefined) throw await refuseActivation(tx, key)
    await appendAudit(tx, { action: 'sealing_key.activated', by, detail: { environment, kid } })
    return viewSealingKey(row)
  })
}

async function refuseActivation(tx: Db, { kid, ...of }: SealingKeyKey): Promise<Refusal> {
  const found = (await readSealingKeys(tx, of)).find((key) => key.kid === kid)
  return found === undefined || found.state === 'pending'
    ? new Refusal(
        'sealing_conflict',
        'This is not the text of the newest challenge, or it came too late. Register the key again for a new one.',
      )
    : new Refusal('sealing_conflict', `The key is ${found.state} already.`)
}
