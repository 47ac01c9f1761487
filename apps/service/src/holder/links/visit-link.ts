import { CreateVerification, linkMetadataNames } from '@vidimus/contract'
import { type LinkPrincipal, Refusal } from '../../engine/basics/index.ts'
import type { AddressKey } from '../../engine/limits/index.ts'
import { getIdentityHash, selectRegistration } from '../../trust/index.ts'
import { bindVersion, resolveTemplate } from '../../templates/index.ts'
import {
  type VerificationContext,
  createVerification,
  findHolderPhase,
  loadQuery,
} from '../../verifications/index.ts'
import { describeToHolder } from '../page/get-verification.ts'
import { hashLinkCode, isLinkCode } from './link-code.ts'
import { linkState } from './list-links.ts'
import { type LinkRow, findLink, readLink } from './store.ts'

/** Why a link creates nothing now: it has ended, its one use is over, its day is full, or something else that passes. */
export type LinkProblem = 'ended' | 'used' | 'full' | 'busy'

type Reader = { lang: string | undefined; acceptLanguage: string | undefined }

export type LinkVisit = Awaited<ReturnType<typeof describeToHolder>> & {
  link: LinkRow
  problem: LinkProblem | undefined
}

/** What a visitor sees of a link: who asks and why. It creates nothing, since scanners and messengers open links. Undefined if there is none. */
export async function showLink(
  ctx: VerificationContext,
  { code, ...reader }: Reader & { code: string },
): Promise<LinkVisit | undefined> {
  const link = isLinkCode(code) ? await findLink(ctx.db, hashLinkCode(code)) : undefined
  if (link === undefined) return undefined
  const { tenant_id, environment, purpose, template } = link
  const [current, signer, registration] = await Promise.all([
    resolveTemplate(ctx, { tenant_id, key: template }),
    getIdentityHash(ctx, tenant_id),
    selectRegistration(ctx, { tenant_id, template }),
  ])
  if (current === undefined) throw new Error('A link keeps its template.')
  // A template that was changed to need more than its key shows what it asks without that, and creates nothing.
  const bound = await bindVersion(ctx.db, current.version, {})
  const template_version = bound instanceof Refusal ? current.version : bound
  const certificate = registration === undefined ? signer : Buffer.concat([signer, registration.info])
  const asked = await loadQuery(ctx, { query: null, template_version })
  const described = await describeToHolder(
    ctx,
    { tenant_id, environment, certificate, purpose, ...asked },
    reader,
  )
  return { ...described, link, problem: findProblem(link) }
}

function findProblem(link: LinkRow): LinkProblem | undefined {
  const state = linkState(link)
  if (state === 'used') return 'used'
  if (state !== 'active') return 'ended'
  return link.created_today >= link.daily_limit ? 'full' : undefined
}

/** Long enough for someone who first has to find or update a wallet. */
export const ttl_seconds = 900

type OpenLink = {
  link: LinkRow
  ref: string | undefined
  /** The verification of this browser's last visit. */
  resumed: string | undefined
  address: AddressKey
}

/** Creates a verification, or finds the one that this browser has begun and can still complete. */
export async function openLink(
  ctx: VerificationContext,
  { link, ref, resumed, address }: OpenLink,
): Promise<{ verification_id: string; expires_in_seconds: number } | { problem: LinkProblem }> {
  if (resumed !== undefined && (await canResume(ctx, link, resumed)))
    return { verification_id: resumed, expires_in_seconds: ttl_seconds }
  if (!(await admitAddress(ctx, link, address))) return { problem: 'busy' }
  const metadata = {
    ...link.metadata,
    [linkMetadataNames.link]: link.id,
    ...(ref !== undefined && { [linkMetadataNames.ref]: ref }),
  }
  const body = CreateVerification.parse({
    template: link.template,
    metadata,
    ttl_seconds,
    ...(link.purpose !== null && { purpose: link.purpose }),
    ...(link.redirect_url !== null && { redirect_url: link.redirect_url }),
  })
  try {
    const request = { body, sent: {}, idempotency_key: undefined }
    const { id } = await createVerification(ctx, toPrincipal(link), request)
    return { verification_id: id, expires_in_seconds: ttl_seconds }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'overloaded') throw error
    return { problem: await explainRefusal(ctx, link, error) }
  }
}

/** Whatever the cookie names: only a verification of this link that still waits for a wallet. */
async function canResume(ctx: VerificationContext, link: LinkRow, id: string): Promise<boolean> {
  const phase = await findHolderPhase(ctx, id)
  return phase?.status === 'pending' && phase.link_id === link.id
}

/** Of a link's daily limit, the part that one address may use, and what it may always use. */
export const addressShare = { part: 1 / 4, min: 10 }

/** Counted for each link, so that the visitors of one leave those of another alone who share their address. */
async function admitAddress(
  { limiter }: VerificationContext,
  { id, daily_limit }: LinkRow,
  address: AddressKey,
): Promise<boolean> {
  const owner = `${id} ${address}`
  const states = await limiter.count([
    { limit: 'link', owner },
    { limit: 'link_day', owner },
  ])
  const share = Math.max(Math.ceil(daily_limit * addressShare.part), addressShare.min)
  return states.every(({ limit, used }) =>
    limit === 'link_day' ? used <= share : used <= (limiter.limits?.link.requests ?? used),
  )
}

/** The reason is the merchant's; the visitor learns what can be done about it. */
async function explainRefusal(
  { db }: VerificationContext,
  { tenant_id, environment, id }: LinkRow,
  { code }: Refusal,
): Promise<LinkProblem> {
  if (code === 'quota_exceeded') return 'full'
  if (code === 'tenant_suspended' || code === 'tenant_not_approved') return 'ended'
  if (code !== 'not_found') return 'busy'
  const now = await readLink(db, { tenant_id, environment, id })
  return now === undefined ? 'ended' : (findProblem(now) ?? 'busy')
}

function toPrincipal({ id, tenant_id, environment }: LinkRow): LinkPrincipal {
  return { kind: 'link', link_id: id, tenant_id, environment }
}
