import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import {
  type Frontier,
  type HeadsMap,
  type LogKeys,
  type SigningKey,
  hashSpan,
  joinPeaks,
  newHeadsMap,
  readLogKeys,
  readSignedCheckpoint,
  sameBytes,
  splitIntoSubtrees,
  toVerifierKey,
  writePublicKey,
} from '@vidimus/evidence'
import type { AuditKey } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Db, tables } from '../../engine/db/index.ts'
import { UnsealError } from '../../engine/keyring/index.ts'
import { AuditTamperedError } from '../append.ts'
import { type LogRow, type LeafRow, insertLog, readLastLeaf, readLog, readSignedHeads } from './log-store.ts'
import { readSubtrees } from './read-subtrees.ts'

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

/**
 * The public key that verifies checkpoints, as PEM and as a verifier key for transparency tools, with the log's origin; and the log's
 * first key with the handovers that lead from it to this one.
 */
export async function getAuditKey(ctx: Pick<Context, 'config' | 'db' | 'keyring'>): Promise<AuditKey> {
  const { key, keys, handovers } = await openLog(ctx, ctx.db)
  return {
    public_key: writePublicKey(key.publicKey),
    origin: key.name,
    verifier_key: toVerifierKey(key.name, key.publicKey),
    first_public_key: writePublicKey(keys.keys[0]?.publicKey ?? key.publicKey),
    handovers: [...handovers],
  }
}

/** The state of the log at its newest leaf. */
export type LogState = { log: AuditLog; leaf: LeafRow | undefined; frontier: Frontier; heads: HeadsMap }

const page = 10_000

/** Reads the state of the log and checks it against its signature: an altered log must not be continued. */
export async function readLogState(ctx: Pick<Context, 'config' | 'keyring'>, db: Db): Promise<LogState> {
  const log = await openLog(ctx, db)
  const leaf = await readLastLeaf(db)
  const frontier = await readFrontier(db, leaf === undefined ? 0 : leaf.index + 1)
  const heads = await readHeads(db)
  if (leaf === undefined) {
    if (log.checkpoint !== undefined) throw new AuditTamperedError('there is a checkpoint but no leaf')
    if (heads.count() > 0) throw new AuditTamperedError('there are signed heads but no leaf')
  } else {
    const checkpoint = await readSignedCheckpoint(log.checkpoint ?? '', log.keys)
    if ('fault' in checkpoint) throw new AuditTamperedError(`the checkpoint ${checkpoint.fault}`)
    if (checkpoint.key !== log.keys.given)
      throw new AuditTamperedError('the checkpoint is signed with a key that was replaced')
    if (checkpoint.size !== frontier.size || !sameBytes(checkpoint.root, joinPeaks(frontier.peaks)))
      throw new AuditTamperedError('the leaves do not match the signed checkpoint')
    if (heads.count() !== leaf.heads_count || !sameBytes(heads.root(), leaf.heads_root))
      throw new AuditTamperedError('the heads do not match the signed leaf')
  }
  return { log, leaf, frontier, heads }
}

async function readFrontier(db: Db, size: number): Promise<Frontier> {
  const spans = splitIntoSubtrees({ from: 0, to: size }).map(({ height, index }) => ({
    from: index * 2 ** height,
    to: (index + 1) * 2 ** height,
  }))
  const hashOf = await readSubtrees(db, spans)
  return { size, peaks: spans.map((span) => hashSpan(span, hashOf)) }
}

async function readHeads(db: Db): Promise<HeadsMap> {
  const map = newHeadsMap()
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readSignedHeads(db, { after, limit: page })
    for (const head of rows) map.set(head)
    const last = rows.at(-1)
    if (last === undefined || rows.length < page) return map
    after = last.tenant_id
  }
}
