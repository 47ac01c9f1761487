import type { Environment } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../../audit/index.ts'
import type { Context } from '../../../engine/context.ts'
import { lockActingMember } from '../../../accounts/index.ts'
import { notFound } from '../../../engine/basics/index.ts'
import { deleteClientRow } from './store.ts'

export type DeleteClient = {
  by: NewAuditEntry['by']
  client_id: string
  environment?: Environment | undefined
}

/** Deletes a client for good, with its secrets. Sign-ins in progress end without tokens. */
export async function deleteClient(
  { db, ledger }: Pick<Context, 'db' | 'ledger'>,
  { by, client_id, environment }: DeleteClient,
): Promise<void> {
  await db.transaction(async (tx) => {
    await lockActingMember(tx, by, 'manage_keys')
    const deleted = await deleteClientRow(tx, { tenant_id: by.tenant_id, id: client_id, environment })
    if (deleted === undefined) throw notFound('openid_client_not_found')
    await appendAudit(tx, { action: 'openid_client.deleted', by, subject: client_id })
    await ledger.record(tx, [{ kind: 'openid_client', id: client_id }])
  })
}
