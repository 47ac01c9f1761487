import type { Verification } from '@vidimus/contract'
import { appendAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { type Db, onOneDay } from '../../engine/db/index.ts'
import {
  type ClientPrincipal,
  type Principal,
  dayOfVerificationId,
  notFound,
} from '../../engine/basics/index.ts'
import { announceEvents, queueEvent } from '../../deliveries/index.ts'
import { hashResponseCode } from '../wallet/accept-response.ts'
import { spendResponseCode, type SpentCode } from '../wallet/store.ts'
import { readReceipt } from '../receipts/store.ts'
import { toVerificationOwner, viewVerification } from '../view-verification.ts'
import { forgetDelivered } from '../retention/expire.ts'
import { readVerifications, type VerificationRow } from '../store.ts'

export type RedeemCode = { id: string; response_code: string }

/** Redeems the one-time code that the redirect brought back. Each code works once; all wrong codes give the same error. */
export async function redeemResponseCode(
  ctx: Context,
  principal: Principal,
  { id, response_code }: RedeemCode,
): Promise<Verification> {
  const { verification, isAnnounced } = await ctx.db.transaction(async (tx) => {
    const {
      verification: row,
      day,
      isQueued,
    } = await spendCode(tx, principal, {
      id,
      response_code,
      delivers: true,
    })
    // The merchant has the result now, so a tenant with forget_on_delivery keeps nothing (RET-3).
    await forgetDelivered(ctx, tx, [{ day, id }])
    return { verification: viewVerification(ctx, row), isAnnounced: isQueued }
  })
  if (isAnnounced) announceEvents(ctx.db)
  return verification
}

/** Spends the code of a browser that came back to our own address: the site that asked gets the result later, in exchange for another code. */
export async function spendReturnCode(
  { db }: Pick<Context, 'db'>,
  principal: ClientPrincipal,
  code: RedeemCode,
): Promise<void> {
  const { isQueued } = await db.transaction((tx) => spendCode(tx, principal, { ...code, delivers: false }))
  if (isQueued) announceEvents(db)
}

/** Spends a code and publishes what was held back until now. `delivers`: its caller gets the result. `isQueued`: webhooks wait. */
async function spendCode(
  tx: Db,
  principal: Principal,
  { id, response_code, delivers }: RedeemCode & { delivers: boolean },
): Promise<{ verification: VerificationRow; day: string; isQueued: boolean }> {
  const day = dayOfVerificationId(id)
  if (day === undefined) throw notFound('invalid_response_code')
  const code = { ...toVerificationOwner(principal), day, id, code_hash: hashResponseCode(response_code) }
  const spent = await spendResponseCode(tx, code)
  if (spent === undefined) throw notFound('invalid_response_code')
  const [verification] = await readVerifications(
    tx,
    [{ day, id, ...toVerificationOwner(principal) }],
    onOneDay(day),
  )
  if (verification === undefined)
    throw new Error('A verification disappeared while its code was being redeemed.')
  if (delivers) await appendAudit(tx, { action: 'verification.redeemed', by: principal, subject: id })
  const isQueued = spent.held && (await publishOutcome(tx, principal, verification, { day, ...spent }))
  return { verification, day, isQueued }
}

/**
 * Publishes what was held back when the wallet responded (RET-2): to the audit log, the webhooks and any `vidimus listen`. Returns
 * whether a webhook was queued.
 */
async function publishOutcome(
  tx: Db,
  { tenant_id, environment }: Principal,
  { id, status, error }: VerificationRow,
  { day, webhook_url: url, forget_on_delivery }: SpentCode & { day: string },
): Promise<boolean> {
  const receipt = await readReceipt(tx, { day, id, tenant_id, environment })
  const event_type = status === 'completed' ? 'verification.completed' : 'verification.failed'
  await appendAudit(tx, {
    action: event_type,
    by: { kind: 'wallet', tenant_id },
    subject: id,
    detail: {
      ...(error !== null && { code: error.code }),
      ...(receipt !== undefined && { receipt: receipt.hash }),
    },
  })
  const event = {
    verification_id: id,
    verification_day: day,
    tenant_id,
    environment,
    forget_on_delivery,
    event_type,
  } as const
  return queueEvent(tx, event, url)
}
