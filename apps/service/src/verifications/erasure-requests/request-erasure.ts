import type { ErasureRequestPage, HolderErasure, ListErasureRequests } from '@vidimus/contract'
import type { Environment } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { announceEvents } from '../../deliveries/index.ts'
import { Refusal, dayOfVerificationId, notFound } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { eraseVerification } from '../retention/erase.ts'
import { lockWebhookReceiver, readVerificationOwner } from '../store.ts'
import { insertErasureRequest, readErasureRequests, refuseStored } from './store.ts'

type RequestErasure = {
  tenant_id: string
  /** A verification whose code the caller has. */
  id: string
  reference_hash: Buffer
  mode: Exclude<HolderErasure, 'off'>
}

/**
 * A holder asks for the erasure of a verification: it is erased at once, or the request waits for the merchant, who learns of it by an
 * event. A verification that is gone, or was asked for before, changes nothing: the caller must not learn which.
 */
export async function requestErasure(
  ctx: Context,
  { tenant_id, id, reference_hash, mode }: RequestErasure,
): Promise<void> {
  const day = dayOfVerificationId(id)
  const found = day === undefined ? undefined : await readVerificationOwner(ctx.db, { day, id })
  if (day === undefined || found?.tenant_id !== tenant_id) return
  const asked = { tenant_id, day, id, reference_hash }
  if (mode === 'ask_merchant') await insertErasureRequest(ctx.db, { ...asked, at_once: false })
  else {
    const holder = { kind: 'holder', tenant_id, environment: found.environment } as const
    try {
      await eraseVerification(ctx, holder, id, (tx) => insertErasureRequest(tx, { ...asked, at_once: true }))
    } catch (error) {
      // Somebody else has erased it meanwhile.
      if (!(error instanceof Refusal) || error.code !== 'session_not_found') throw error
    }
  }
  announceEvents(ctx.db)
}

/** What holders ask to be erased. */
export async function listErasureRequests(
  { db }: Pick<Context, 'db'>,
  { state, limit, after, ...owner }: ListErasureRequests & { tenant_id: string; environment: Environment },
): Promise<ErasureRequestPage> {
  const rows = await readErasureRequests(db, {
    ...owner,
    after,
    refused: state === 'refused',
    limit: limit + 1,
  })
  const data = rows.slice(0, limit).map(({ refused_at, ...row }) => ({
    ...row,
    ...(refused_at !== null && { refused_at }),
  }))
  const next_after = rows.length > limit ? data.at(-1)?.verification_id : undefined
  return { data, ...(next_after !== undefined && { next_after }) }
}

/** The verification stays. A holder who asks again gets no second decision. */
export async function refuseErasureRequest(
  { db }: Pick<Context, 'db'>,
  { by, environment, id }: { by: NewAuditEntry['by']; environment: Environment; id: string },
): Promise<void> {
  const day = dayOfVerificationId(id)
  if (day === undefined) throw notFound('session_not_found')
  await db.transaction(async (tx) => {
    const { tenant_id } = by
    // An erasure locks the verification before its request too.
    const locked = await lockWebhookReceiver(tx, { day, id, tenant_id, environment })
    const isNew = locked && (await refuseStored(tx, { tenant_id, environment, id }))
    if (isNew === undefined) throw notFound('session_not_found')
    if (isNew) await appendAudit(tx, { action: 'erasure.refused', by, subject: id })
  })
}
