import { randomUUID } from 'node:crypto'
import { accessKinds, type Environment, type RollClientSecret } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { lockMaker } from '../../../accounts/index.ts'
import type { Db } from '../../../engine/db/index.ts'
import type { LedgerEntry } from '../../../engine/ledger/index.ts'
import { Refusal, notFound } from '../../../engine/basics/index.ts'
import { hashClientSecret, newClientSecret } from './create-client.ts'
import { deleteSecrets, endNewestSecret, insertSecret, readNewestSecret } from './secret-store.ts'
import { lockClient, readClient, updateClientMaker } from './store.ts'

export type RollSecret = RollClientSecret & {
  by: NewAuditEntry['by']
  client_id: string
  environment?: Environment | undefined
}

/**
 * Gives a client a new secret, which is shown only once. The one before works until the overlap ends; without an overlap every
 * earlier secret ends at once. At most two work at a time.
 */
export async function rollClientSecret(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, client_id, environment, overlap_seconds }: RollSecret,
): Promise<{ secret: string }> {
  const { tenant_id } = by
  const key = { tenant_id, id: client_id, environment }
  const client = await readClient(db, key)
  if (client === undefined) throw notFound('openid_client_not_found')
  if (client.authentication === 'none')
    throw new Refusal('invalid_request', 'This client has no secret. Create another client to use one.')
  const newest = await readNewestSecret(db, { tenant_id, client_id })
  const secret = newClientSecret(client.environment)
  const hash = hashClientSecret(secret)
  await db.transaction(async (tx) => {
    const maker = await lockMaker(tx, by, ...accessKinds.openid_client.needs)
    const locked = await lockClient(tx, key)
    if (locked === undefined) throw notFound('openid_client_not_found')
    if ((await readNewestSecret(tx, { tenant_id, client_id })) !== newest)
      throw new Refusal(
        'openid_client_changed',
        'The secret was rolled at the same time. Load the client again.',
      )
    if (overlap_seconds > 0 && locked.previous_secret_expires_at !== null)
      throw new Refusal(
        'too_many',
        `Two secrets work until ${locked.previous_secret_expires_at}. Wait, or roll without an overlap, which ends both.`,
      )
    const ended = await endSecrets(tx, { tenant_id, client_id, overlap_seconds })
    await insertSecret(tx, { id: randomUUID(), tenant_id, client_id, hash })
    await updateClientMaker(tx, key, maker.member_id)
    await appendAudit(tx, {
      action: 'openid_client.secret_rolled',
      by,
      subject: client_id,
      detail: { environment: client.environment, overlap_seconds },
    })
    await ledger.record(tx, ended)
  })
  return { secret }
}

async function endSecrets(
  tx: Db,
  { overlap_seconds, ...client }: { tenant_id: string; client_id: string; overlap_seconds: number },
): Promise<LedgerEntry[]> {
  if (overlap_seconds === 0)
    return (await deleteSecrets(tx, { ...client, which: 'all' })).map((id) => ({
      kind: 'openid_client_secret',
      id,
    }))
  await deleteSecrets(tx, { ...client, which: 'expired' })
  const ended = await endNewestSecret(tx, { ...client, overlap_seconds })
  // The day on which the overlap ends: until then the old secret works after a restore too.
  return ended === undefined
    ? []
    : [{ kind: 'openid_client_secret', id: ended.id, day: ended.expires_at.slice(0, 10) }]
}
