import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Profile, findTenantProfile } from '../../accounts/index.ts'
import type { Context } from '../../engine/context.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import { isAbout, waitPaused } from '../../engine/scheduling/index.ts'
import { hashReference, requestErasure, writeReference } from '../../verifications/index.ts'
import { readErasureCode } from './erasure-code.ts'

const tenantPattern = /^[0-9A-Za-z]([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/

export type ErasingTenant = {
  tenant_id: string
  profile: Profile
  /** Of its page. */
  path: string
}

/** The tenant that an address names: the character of its cell and its id. Undefined if there is none. */
export async function findErasingTenant(ctx: Context, text: string): Promise<ErasingTenant | undefined> {
  const tenant_id = tenantPattern.exec(text)?.[1]
  const profile = tenant_id === undefined ? undefined : await findTenantProfile(ctx, tenant_id)
  if (tenant_id === undefined || profile === undefined) return undefined
  isAbout({ tenant_id })
  return { tenant_id, profile, path: `/erase/${text}` }
}

type AskForErasure = { tenant: ErasingTenant; code: string; address: AddressKey }

/**
 * What somebody entered. The answer is the same, after the same time, for a code that is right, wrong or used, and while the tenant takes no
 * requests: nobody may learn here that a person was verified. Undefined beyond the limits of the address and the tenant.
 */
export async function askForErasure(
  ctx: Context,
  { tenant: { tenant_id, profile }, code, address }: AskForErasure,
): Promise<{ reference: string } | undefined> {
  if (!(await admitErasure(ctx, { tenant_id, address }))) return undefined
  const reference = writeReference(ctx.keyring, { tenant_id, code })
  await atFullStep(async () => {
    const id = await readErasureCode(ctx.keyring, { tenant_id, code })
    const mode = profile.holder_erasure
    if (id === undefined || mode === 'off') return
    await requestErasure(ctx, { tenant_id, id, mode, reference_hash: hashReference(reference) })
  })
  return { reference }
}

type AdmitErasure = {
  tenant_id: string
  address: AddressKey
  /** Further limits of an address at a tenant. */
  limits?: readonly 'erasure_day'[]
}

/** Whether an address and a tenant are within their limits. */
export async function admitErasure(
  { limiter }: Pick<Context, 'limiter'>,
  { tenant_id, address, limits = [] }: AdmitErasure,
): Promise<boolean> {
  const states = await limiter.count([
    ...(['erasure', ...limits] as const).map((limit) => ({ limit, owner: `${tenant_id} ${address}` })),
    { limit: 'erasure_tenant', owner: tenant_id },
  ])
  return states.every(({ limit, used }) => used <= (limiter.limits?.[limit].requests ?? used))
}

/** An erasure takes milliseconds, or up to eleven seconds if a webhook is being sent. */
export const replyStep_ms = 1000
/** Timers are rounded to milliseconds: what is left of a difference disappears in this. */
export const replyJitter_ms = 100

/** Runs to the end of a full second and a random time after it, so that the time does not say what was done. */
async function atFullStep(run: () => Promise<void>): Promise<void> {
  const started = performance.now()
  const jitter_ms = randomInt(replyJitter_ms)
  try {
    await run()
  } finally {
    const steps = Math.floor((performance.now() - started) / replyStep_ms) + 1
    const until = started + steps * replyStep_ms + jitter_ms
    await waitPaused(sleepUntil(until))
  }
}

/** Never shorter, unlike a timer. */
async function sleepUntil(until: number): Promise<void> {
  for (let left = until - performance.now(); left > 0; left = until - performance.now())
    await sleep(Math.ceil(left))
}
