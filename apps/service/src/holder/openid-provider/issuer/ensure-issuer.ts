import { randomBytes } from 'node:crypto'
import type { Context } from '../../../engine/context.ts'
import { makeSigningKeys } from './make-keys.ts'
import { insertIssuer, insertKeys, readIssuer } from './store.ts'
import { tables } from '../../../engine/db/index.ts'

export const subjectKeyUse = tables.openid_issuers.sealed.sealed
const subjectKey_bytes = 32

/** Makes the tenant an issuer with keys of its own, unless it is one. Does nothing for a tenant that does not exist. */
export async function ensureIssuer(
  { db, keyring, config }: Pick<Context, 'db' | 'keyring' | 'config'>,
  tenant_id: string,
): Promise<void> {
  if ((await readIssuer(db, tenant_id)) !== undefined) return
  const keys = await makeSigningKeys({ keyring })
  const sealed = keyring.seal(subjectKeyUse, randomBytes(subjectKey_bytes))
  await db.transaction(async (tx) => {
    // Of two processes that create a first client, one stores its keys.
    const inserted = await insertIssuer(tx, { tenant_id, cell: config.CELL, sealed })
    if (inserted) await insertKeys(tx, { tenant_id, keys, delay_seconds: 0 })
  })
}
