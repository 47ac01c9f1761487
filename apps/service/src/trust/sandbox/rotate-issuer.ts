import { randomUUID } from 'node:crypto'
import { createIssuer, exportIssuer, sandboxStatusUri } from '@vidimus/sandbox'
import type { RecordOperation } from '../../audit/index.ts'
import { type Database, readClock } from '../../engine/db/index.ts'
import type { Keyring } from '../../engine/keyring/index.ts'
import { bumpTrustVersion } from '../anchors/store.ts'
import { sandboxIssuerUse } from './open-sandbox.ts'
import { replaceIssuer } from './store.ts'

/**
 * Replaces the sandbox issuer with all of its keys. What it issued before is no longer trusted, within a second on every process: sandbox
 * wallets get new credentials for every response, so nothing that is still needed is lost.
 */
export async function rotateSandboxIssuer({
  db,
  keyring,
  record,
}: {
  db: Database
  keyring: Keyring
  record?: RecordOperation
}): Promise<void> {
  const now = new Date(await readClock(db))
  // Processes keep lists by their address for a minute. Those of the new issuer are elsewhere.
  const status_uri = `${sandboxStatusUri}/${randomUUID()}`
  const made = exportIssuer(createIssuer({ now, status_uri }))
  const sealed = keyring.seal(sandboxIssuerUse, Buffer.from(JSON.stringify(made)))
  await db.transaction(async (tx) => {
    await replaceIssuer(tx, sealed)
    await bumpTrustVersion(tx)
    await record?.(tx, {})
  })
}
