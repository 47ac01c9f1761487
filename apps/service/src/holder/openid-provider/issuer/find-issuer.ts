import type { Context } from '../../../engine/context.ts'
import { issuerAddress } from './issuer-address.ts'
import { readIssuer, type IssuerRow } from './store.ts'

export type Issuer = IssuerRow & {
  /** Its address, as it is in tokens. */
  url: string
}

const issuerId = /^[0-9A-Za-z]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

/** The issuer that a path names: the character of its cell and the tenant. Undefined if there is none. */
export async function findIssuer(
  { db, config }: Pick<Context, 'db' | 'config'>,
  id: string,
): Promise<Issuer | undefined> {
  const tenant_id = issuerId.exec(id)?.[1]
  const row = tenant_id === undefined ? undefined : await readIssuer(db, tenant_id)
  return row?.cell === id[0] && row !== undefined ? { ...row, url: issuerAddress(config, row) } : undefined
}
