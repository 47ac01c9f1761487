import { buildTree, sameBytes, serializeHead } from '@vidimus/evidence'
import { Refusal } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import type { Db } from '../../engine/db/index.ts'
import { AuditTamperedError, installationChain } from '../append.ts'
import { readChain } from '../chain/history-store.ts'
import {
  type SavedCheckpoint,
  listAbandonedCheckpoints,
  readSavedCheckpoints,
} from '../log/checkpoint-folder.ts'
import { type LeafRow, countOrphans, readNewHeads } from '../log/log-store.ts'
import { readLogState } from '../log/open-log.ts'
import { countPending } from '../listing/list-store.ts'
import { withConsistentSnapshot } from './export.ts'
import { verifyChain } from './verify-chain.ts'
import { readLeafPages, verifyLog } from './verify-log.ts'

/** Counting orphans beside a log of many millions of entries takes minutes, and only the operator waits for it. */
export const verifyLimits = { statement_ms: 600_000 }

type Ctx = Pick<Context, 'config' | 'db' | 'keyring'>
type OnProgress = (what: string, done: number, of: number) => void

/**
 * `removed` counts entries whose texts were erased or have expired, which is not a fault. `abandoned` has the files of checkpoints that a
 * restore has put aside: the log does not continue them, and entries `audit.restored` say so.
 */
export type TenantVerification = {
  entries: number
  valid: boolean
  head?: string | undefined
  removed: number
  abandoned: string[]
  faults: string[]
}

/** Checks one tenant's chain and the log that contains it. */
export async function verifyTenant(
  ctx: Ctx,
  tenant_id: string,
  onProgress?: OnProgress,
): Promise<TenantVerification> {
  return reportTampering(
    (fault): TenantVerification => ({ entries: 0, valid: false, removed: 0, abandoned: [], faults: [fault] }),
    async () => {
      const saved = await readSaved(ctx)
      return withConsistentSnapshot(
        ctx,
        tenant_id,
        async (tx) => {
          if ((await readChain(tx, tenant_id)) === undefined)
            throw new Refusal('not_found', `There is no audit chain for tenant ${tenant_id}.`)
          const state = await readLogState(ctx, tx)
          const logFaults = await verifyLog(tx, state, {
            saved,
            onProgress: labelProgress('leaves', onProgress),
          })
          const chain = await verifyChain(tx, state, {
            tenant_id,
            onProgress: labelProgress('entries', onProgress),
          })
          const faults = [...chain.faults, ...logFaults]
          return {
            entries: chain.entries,
            valid: faults.length === 0,
            head: chain.head,
            removed: chain.removed,
            abandoned: await readAbandoned(ctx),
            faults,
          }
        },
        verifyLimits,
      )
    },
  )
}

/** Checks the installation's chain and the log that contains it, for an operator: their own sign-in is in it, or waits for it. */
export async function verifyInstallationLog(ctx: Ctx): Promise<Omit<TenantVerification, 'abandoned'>> {
  try {
    const { abandoned: _abandoned, ...verified } = await verifyTenant(ctx, installationChain)
    return verified
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    const isNew = (await countPending(ctx.db, installationChain)) > 0
    const faults = isNew ? [] : ['the installation has no audit chain']
    return { entries: 0, valid: isNew, removed: 0, faults }
  }
}

export type LogVerification = {
  tenants: number
  entries: number
  leaves: number
  valid: boolean
  removed: number
  abandoned: string[]
  faults: string[]
}

/** Checks every chain and the whole log, and that there are no other rows. */
export async function verifyEverything(ctx: Ctx, onProgress?: OnProgress): Promise<LogVerification> {
  return reportTampering(
    (fault): LogVerification => ({
      tenants: 0,
      entries: 0,
      leaves: 0,
      valid: false,
      removed: 0,
      abandoned: [],
      faults: [fault],
    }),
    async () => {
      const saved = await readSaved(ctx)
      const verify = (tx: Db) => verifyInTransaction(ctx, tx, { saved, onProgress })
      return withConsistentSnapshot(ctx, undefined, verify, verifyLimits)
    },
  )
}

type VerifyInTransaction = { saved: SavedCheckpoint[]; onProgress?: OnProgress | undefined }

/** The same in an open transaction. Throws AuditTamperedError if the log cannot be read at all. */
export async function verifyInTransaction(
  ctx: Ctx,
  tx: Db,
  { saved, onProgress }: VerifyInTransaction,
): Promise<LogVerification> {
  const state = await readLogState(ctx, tx)
  const { size } = state.frontier
  const faults = await verifyLog(tx, state, {
    saved,
    onProgress: labelProgress('leaves', onProgress),
  })
  faults.push(...(await verifyNewHeads(tx, size)))
  const found = { tenants: 0, entries: 0, removed: 0 }
  for (const { tenant_id } of state.heads.all()) {
    const chain = await verifyChain(tx, state, { tenant_id })
    found.tenants += 1
    found.entries += chain.entries
    found.removed += chain.removed
    faults.push(...chain.faults.map((fault) => `${tenant_id}: ${fault}`))
    onProgress?.('chains', found.tenants, state.heads.count())
  }
  for (const [what, count] of Object.entries(await countOrphans(tx, size))) {
    if (count > 0) faults.push(`${count} ${what} belong to no chain or leaf`)
  }
  return { ...found, leaves: size, valid: faults.length === 0, abandoned: await readAbandoned(ctx), faults }
}

/** A log that contradicts its signature is a result of the check, not a failure of it. */
async function reportTampering<Result>(
  toReport: (fault: string) => Result,
  verify: () => Promise<Result>,
): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof AuditTamperedError) return toReport(error.message)
    throw error
  }
}

/** Read before the log: a checkpoint that is saved later may be newer than the snapshot. */
export async function readSaved({ config }: Pick<Ctx, 'config'>): Promise<SavedCheckpoint[]> {
  return config.AUDIT_CHECKPOINT_DIR === undefined ? [] : readSavedCheckpoints(config.AUDIT_CHECKPOINT_DIR)
}

async function readAbandoned({ config }: Ctx): Promise<string[]> {
  return config.AUDIT_CHECKPOINT_DIR === undefined
    ? []
    : listAbandonedCheckpoints(config.AUDIT_CHECKPOINT_DIR)
}

function labelProgress(what: string, onProgress: OnProgress | undefined) {
  return onProgress && ((done: number, all: number) => onProgress(what, done, all))
}

/** Heads read at a time: a leaf has one or more for each chain that grew. */
const maxHeads = 20_000

/** Reports the leaves whose new heads differ from those that were signed. */
async function verifyNewHeads(db: Db, size: number): Promise<string[]> {
  const faults: string[] = []
  for await (const leaves of readLeafPages(db, size)) {
    for (const group of groupByHeadCount(leaves)) faults.push(...(await compareHeads(db, group)))
  }
  return faults
}

async function compareHeads(db: Db, leaves: readonly LeafRow[]): Promise<string[]> {
  const [first, last] = [leaves[0]?.index ?? 0, leaves.at(-1)?.index ?? 0]
  const limit = leaves.reduce((sum, { new_heads_count }) => sum + new_heads_count, 1)
  const heads = Map.groupBy(await readNewHeads(db, { from: first, to: last + 1, limit }), ({ leaf }) => leaf)
  return leaves
    .filter(({ index, new_heads_count, new_heads_root }) => {
      const newHeads = heads.get(index) ?? []
      const inPlace = newHeads.length === new_heads_count && newHeads.every(({ place }, at) => place === at)
      return !inPlace || !sameBytes(buildTree(newHeads.map(serializeHead)).root, new_heads_root)
    })
    .map(({ index }) => `leaf ${index}: its new heads were changed`)
}

/** Groups adjacent leaves so that the heads of a group can be read at once. A group has at least one leaf. */
function groupByHeadCount(leaves: readonly LeafRow[]): LeafRow[][] {
  const groups: LeafRow[][] = []
  let heads = Number.POSITIVE_INFINITY
  for (const leaf of leaves) {
    heads += leaf.new_heads_count
    if (heads > maxHeads) {
      groups.push([])
      heads = leaf.new_heads_count
    }
    groups.at(-1)?.push(leaf)
  }
  return groups
}
