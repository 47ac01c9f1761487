import type { ListReceipts, Receipt, ReceiptPage } from '@vidimus/contract'
import { type HeadTrees, newHeadTrees, proveReceipt } from '../../audit/index.ts'
import { type Principal, Refusal, dayOfVerificationId } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { getVerification } from '../read/get-verification.ts'
import { readToday } from '../store.ts'
import { type ReceiptRow, readReceipt, readReceiptPage } from './store.ts'

type Caller = Pick<Principal, 'tenant_id' | 'environment'>

/** How soon an entry of the audit log is signed, usually. */
const retryAfter_seconds = 2

/** The receipt of a verification that has ended, with the proof that the signed log has it. Nothing is shown of a result that is held back. */
export async function getReceipt(ctx: Context, principal: Principal, id: string): Promise<Receipt> {
  const { tenant_id, environment } = principal
  const day = dayOfVerificationId(id)
  const { status } = await getVerification(ctx, principal, id)
  if (status === 'pending' || day === undefined)
    throw new Refusal('receipt_not_ready', 'No wallet has responded yet, so there is no receipt.')
  const receipt =
    status === 'expired' ? undefined : await readReceipt(ctx.db, { day, id, tenant_id, environment })
  if (receipt === undefined)
    throw new Refusal(
      'receipt_not_ready',
      status === 'expired'
        ? 'The verification expired without a response, so there is no receipt.'
        : 'The verification has no receipt: it ended before the service made them.',
    )
  const proven = await addProof(ctx, { tenant_id, environment }, receipt)
  if (proven !== undefined) return proven
  throw new Refusal(
    'receipt_not_ready',
    'The audit entry of the outcome is not signed yet. Try again in a moment.',
    retryAfter_seconds,
  )
}

/** A page of the receipts of the verifications that were created on one day. */
export async function listReceipts(
  ctx: Context,
  { tenant_id, environment }: Caller,
  { day: given, limit, after = '' }: ListReceipts,
): Promise<ReceiptPage> {
  const day = given ?? (await readToday(ctx.db))
  const rows = await readReceiptPage(ctx.db, { day, tenant_id, environment, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  const data: Receipt[] = []
  const trees = newHeadTrees()
  for (const row of page) {
    const proven = await addProof(ctx, { tenant_id, environment }, row, trees)
    if (proven !== undefined) data.push(proven)
  }
  const last = page.at(-1)
  return {
    data,
    waiting: page.length - data.length,
    ...(rows.length > limit && last !== undefined && { next_after: last.id }),
  }
}

/** Undefined until the entry is signed. */
export async function addProof(
  ctx: Context,
  { tenant_id }: Caller,
  { id, body, salt, hash }: ReceiptRow,
  trees?: HeadTrees,
): Promise<Receipt | undefined> {
  const proof = await proveReceipt(ctx, { tenant_id, subject: id, receipt: hash }, trees)
  return proof && { body, salt: salt.toString('hex'), proof }
}
