import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import type { SigningKey } from '@vidimus/evidence'
import type { Context } from '../../context.ts'
import type { Db } from '../../platform/db/open.ts'
import { UnsealError } from '../../platform/keyring/seal.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { insertLog, readLog, type LogRow } from './log-store.ts'

const keyUse = 'audit signing key'

export type AuditLog = { key: SigningKey; checkpoint: string | undefined }

/**
 * The log with its key. The first call of a cell's life makes the key; it is sealed by the key ring, so that whoever can
 * write to the database, and no more, cannot put another in its place. The public half is always derived, never stored.
 */
export async function openLog(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  db: Db,
): Promise<AuditLog> {
  const { origin, sealed_key, checkpoint } = (await readLog(db)) ?? (await createLog({ config, keyring }, db))
  const privateKey = await unsealKey(keyring, sealed_key)
  // A checkpoint begins with the name of its log (C2SP tlog-checkpoint).
  if (checkpoint !== null && !checkpoint.startsWith(`${origin}\n`)) {
    throw new AuditTamperedError('the name of the log in the database is not the one that its checkpoint has')
  }
  return { key: toSigningKey(origin, privateKey), checkpoint: checkpoint ?? undefined }
}

/** A key of Node's as the notes want it. */
export function toSigningKey(name: string, privateKey: KeyObject): SigningKey {
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' })
  return {
    name,
    publicKey: Uint8Array.from(Buffer.from(x, 'base64url')),
    sign: (bytes) => sign(null, bytes, privateKey),
  }
}

async function unsealKey(keyring: Context['keyring'], sealed: Buffer): Promise<KeyObject> {
  try {
    return createPrivateKey({ key: await keyring.unseal(keyUse, sealed), format: 'der', type: 'pkcs8' })
  } catch (error) {
    if (error instanceof UnsealError)
      throw new AuditTamperedError('the signing key in the database is not the one that was sealed')
    throw error
  }
}

async function createLog({ config, keyring }: Pick<Context, 'config' | 'keyring'>, db: Db): Promise<LogRow> {
  const { privateKey } = generateKeyPairSync('ed25519')
  const sealed_key = keyring.seal(keyUse, privateKey.export({ format: 'der', type: 'pkcs8' }))
  // C2SP signed-note asks for the address without its scheme. It names the log for good, even if the address changes.
  const origin = `${config.BASE_URL.replace(/^https?:\/\//, '')}/audit/${config.CELL}`
  await insertLog(db, { origin, sealed_key })
  const log = await readLog(db)
  if (log === undefined) throw new Error('the audit log was made and is not there')
  return log
}
