import { CreateVerification } from '@vidimus/contract'
import { Refusal } from '../../engine/basics/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import {
  type VerificationContext,
  createVerification,
  requireErasureTemplate,
} from '../../verifications/index.ts'
import { type ErasingTenant, admitErasure } from './ask-for-erasure.ts'

/** Test results are not offered: everybody has the documents of the sandbox. */
const environment = 'live'
/** Long enough for someone who first has to find or update a wallet. */
const ttl_seconds = 900

/** Whether holders without a code can prove to a tenant who they are. */
export async function offersProof(
  ctx: VerificationContext,
  { tenant_id, profile: { holder_erasure, erasure_template: key } }: ErasingTenant,
): Promise<boolean> {
  if (holder_erasure === 'off' || key === null) return false
  try {
    await requireErasureTemplate(ctx, { tenant_id, key })
    return true
  } catch (error) {
    // The template was changed since, or results are sealed now.
    if (error instanceof Refusal) return false
    throw error
  }
}

/** A day with results, as a browser sends it. */
export function isDay(text: string): boolean {
  const time = /^20\d\d-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

type PresentAgain = { tenant: ErasingTenant; day: string; purpose: string; address: AddressKey }

/**
 * Creates the verification with which a holder proves who they are, and returns its id. Undefined if it cannot be created now: the reason
 * is the merchant's.
 */
export async function presentAgain(
  ctx: VerificationContext,
  { tenant, day, purpose, address }: PresentAgain,
): Promise<string | undefined> {
  const { tenant_id, profile } = tenant
  if (!(await offersProof(ctx, tenant))) return undefined
  if (!(await admitErasure(ctx, { tenant_id, address, limits: ['erasure_day'] }))) return undefined
  const body = CreateVerification.parse({ template: profile.erasure_template, purpose, ttl_seconds })
  try {
    const { id } = await createVerification(
      ctx,
      { kind: 'holder', tenant_id, environment },
      { body, sent: {}, idempotency_key: undefined, erasing_day: day },
    )
    return id
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'overloaded') throw error
    return undefined
  }
}
