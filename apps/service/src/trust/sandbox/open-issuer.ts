import type { Issuer, SerializedIssuer } from '@vidimus/sandbox'
import { type Db, tables } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { insertIssuer, readIssuer } from './store.ts'

export type OpenIssuer = { db: Db; keyring: Keyring }

export const sandboxIssuerUse = tables.sandbox_issuer.sealed.sealed

/** The sandbox issuer of this installation, shared by all processes: what one issues, the others trust. */
export async function openSandboxIssuer({ db, keyring }: OpenIssuer): Promise<Issuer> {
  const { importIssuer } = await import('@vidimus/sandbox')
  const { sealed, now } = await readIssuer(db)
  const opened = await keyring.unseal(sandboxIssuerUse, sealed ?? (await makeIssuer({ db, keyring }, now)))
  // Written by exportIssuer; the seal guarantees that it is unchanged.
  return importIssuer(JSON.parse(opened.toString()) as SerializedIssuer, new Date(now))
}

/** Processes that start together may each create an issuer. All use the first one that was stored. */
async function makeIssuer({ db, keyring }: OpenIssuer, now: string): Promise<Buffer> {
  const { createIssuer, exportIssuer } = await import('@vidimus/sandbox')
  const made = exportIssuer(createIssuer({ now: new Date(now) }))
  await insertIssuer(db, keyring.seal(sandboxIssuerUse, Buffer.from(JSON.stringify(made))))
  const { sealed } = await readIssuer(db)
  if (sealed === null) throw new Error('The sandbox issuer was not stored.')
  return sealed
}
