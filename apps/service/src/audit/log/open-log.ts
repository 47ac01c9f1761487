import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { readLogKeys, type LogKeys, type SigningKey } from '@vidimus/evidence'
import type { Context } from '../../engine/context.ts'
import { type Db, tables } from '../../engine/db/index.ts'
import { UnsealError } from '../../engine/keyring/index.ts'
import { AuditTamperedError } from '../audit-tampered-error.ts'
import { insertLog, readLog, type LogRow } from './log-store.ts'

const auditKeyUse = tables.audit_log.sealed.sealed_key

/** The log with the key that signs, all keys that it ever had, and the handovers between them. */
export type AuditLog = {
  key: SigningKey
  sealed_key: Buffer
  keys: LogKeys
  handovers: readonly string[]
  checkpoint: string | undefined
}

/**
 * Opens the log with its signing key. The first call in a cell creates both. The key is sealed with the key ring, so that write
 * access to the database is not enough to replace it. The public key is always derived, and the handovers must lead to it.
 */
export async function openLog(
  { config, keyring }: Pick<Context, 'config' | 'keyring'>,
  db: Db,
): Promise<AuditLog> {
  const { origin, sealed_key, checkpoint, was_replaced, handovers, last_number } =
    (await readLog(db)) ?? (await createLog({ config, keyring }, db))
  const privateKey = await unsealKey(keyring, sealed_key)
  // A checkpoint begins with the origin of its log (C2SP tlog-checkpoint).
  if (checkpoint !== null && !checkpoint.startsWith(`${origin}\n`)) {
    throw new AuditTamperedError("the log's origin does not match its checkpoint")
  }
  const key = toSigningKey(origin, privateKey)
  const keys = await readLogKeys(key.publicKey, handovers)
  if ('fault' in keys) throw new AuditTamperedError(keys.fault)
  if (was_replaced !== handovers.length > 0) throw new AuditTamperedError('the handovers are missing')
  if (last_number !== handovers.length) throw new AuditTamperedError('a handover has another number')
  if (keys.given < handovers.length) throw new AuditTamperedError('the log has a key that was replaced')
  return { key, sealed_key, keys, handovers, checkpoint: checkpoint ?? undefined }
}

/** A new key, and the same sealed. */
export function newSealedKey(
  keyring: Context['keyring'],
  origin: string,
): { key: SigningKey; sealed_key: Buffer } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const sealed_key = keyring.seal(auditKeyUse, privateKey.export({ format: 'der', type: 'pkcs8' }))
  return { key: toSigningKey(origin, privateKey), sealed_key }
}

/** Converts a Node key for signing notes. */
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
    return createPrivateKey({ key: await keyring.unseal(auditKeyUse, sealed), format: 'der', type: 'pkcs8' })
  } catch (error) {
    if (error instanceof UnsealError) throw new AuditTamperedError('the stored signing key was altered')
    throw error
  }
}

async function createLog({ config, keyring }: Pick<Context, 'config' | 'keyring'>, db: Db): Promise<LogRow> {
  // C2SP signed-note recommends the URL without its scheme. The origin stays, even if the URL changes later.
  const origin = `${config.BASE_URL.replace(/^https?:\/\//, '')}/audit/${config.CELL}`
  await insertLog(db, { origin, sealed_key: newSealedKey(keyring, origin).sealed_key })
  const log = await readLog(db)
  if (log === undefined) throw new Error('The audit log was created but cannot be found.')
  return log
}
