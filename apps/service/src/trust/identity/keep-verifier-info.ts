import { createHash } from 'node:crypto'
import type { VerifierAttestation } from '@vidimus/protocol'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { findVerifierInfo, insertVerifierInfo } from './store.ts'

/** Stores a `verifier_info` for as long as sessions may refer to it, and returns the hash by which they do (OpenID4VP 1.0 §5.11). */
export async function keepVerifierInfo(tx: Db, info: readonly VerifierAttestation[]): Promise<Buffer> {
  const body = JSON.stringify(info)
  const hash = createHash('sha256').update(body).digest()
  await insertVerifierInfo(tx, { hash, body })
  return hash
}

/** The stored `verifier_info` as JSON text. */
export async function readVerifierInfo({ db }: Pick<Context, 'db'>, hash: Buffer): Promise<string> {
  const body = await findVerifierInfo(db, hash)
  if (body === undefined) throw new Error('A verifier_info that is in use is not in the database.')
  return body
}
