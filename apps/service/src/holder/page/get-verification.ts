import type { HolderOutcome, HolderPhase, HolderReason, HolderVerification } from '@vidimus/contract'
import {
  type Language,
  chooseLanguage,
  describeRequest,
  describeRetention,
  fillIn,
  isLanguage,
  listLanguages,
  summariseRequest,
  texts,
} from '@vidimus/holder-texts'
import type { FailureCode } from '@vidimus/protocol'
import { type Profile, getProfile } from '../../accounts/index.ts'
import { confirmationCode } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { getVerifierNames } from '../../trust/index.ts'
import {
  type AgeAppVia,
  type HolderPhaseRow,
  type HolderVerificationRecord,
  ageAppUri,
  allowsOrigin,
  allowsScreen,
  findHolderVerification,
  movingCodeUri,
  ownOrigin,
  screenUri,
  walletUri,
} from '../../verifications/index.ts'
import { type WalletChoice, listWallets } from './list-wallets.ts'

type GetHolderVerification = Omit<WalletChoice, 'language'> & {
  id: string
  /** The language that the address asks for. */
  lang: string | undefined
  /** The origin of the page that asks. By default the service's own page. */
  origin?: string | undefined
}

/** A verification in one of the languages that its tenant offers. */
export type ShownVerification = {
  verification: HolderVerification
  language: Language
  offered: readonly Language[]
  tenant_id: string
  responded_at: string | null
  /** Whether holders can ask its tenant for an erasure, for which they need a code. */
  takesErasures: boolean
  /** Whether it is itself for an erasure. */
  erases: boolean
}

/**
 * What a holder may know about a verification: who asks, why, for what, and its phase. It contains nothing of the result and
 * nothing of the merchant's own data (PAGE-4). Undefined if there is no such verification.
 */
export async function getHolderVerification(
  ctx: Context,
  { id, lang, origin = ownOrigin(ctx), ...given }: GetHolderVerification,
): Promise<ShownVerification | undefined> {
  const verification = await findHolderVerification(ctx, id)
  if (verification === undefined) return undefined
  const { request, profile, language, offered } = await describeToHolder(ctx, verification, {
    lang,
    acceptLanguage: given.browser.acceptLanguage,
  })
  const phase = toPhase(verification)
  const erases = verification.erasing_day !== null
  const takesErasures = profile.holder_erasure !== 'off'
  const { tenant_id, responded_at } = verification
  const shown = {
    phase,
    now: verification.now,
    expires_at: verification.expires_at,
    ...request,
    ...(phase === 'completed' &&
      verification.link_id !== null && { confirmation_code: confirmationCode(id) }),
    ...(erases && { done: describeErasure(language) }),
    ...((phase === 'completed' || phase === 'not_accepted') && takesErasures && { card: true as const }),
    ...describeAttempt(verification),
    ...alternativeUrl(verification, profile.brand),
    ...(isOpen(phase)
      ? await listChannels(ctx, verification, { profile, origin, language, ...given })
      : returnUrl(verification)),
  }
  return { verification: shown, language, offered, tenant_id, responded_at, takesErasures, erases }
}

/** What a holder is told before anything is asked: the members of a verification that its request decides. */
export type DescribedRequest = Pick<
  HolderVerification,
  'test' | 'lang' | 'merchant' | 'purpose' | 'headline' | 'summary' | 'asks' | 'retention'
>

type Request = Pick<
  HolderVerificationRecord,
  'tenant_id' | 'environment' | 'certificate' | 'purpose' | 'query' | 'rules' | 'purposes'
> &
  Partial<Pick<HolderVerificationRecord, 'erasing_day'>>

/**
 * Who asks, why and for what, in one of the languages that the tenant offers. If the reason is that of the template, it is one of the
 * template's languages, so that no page has two.
 */
export async function describeToHolder(
  ctx: Context,
  { tenant_id, environment, certificate, purpose, query, rules, purposes, erasing_day = null }: Request,
  { lang, acceptLanguage }: { lang: string | undefined; acceptLanguage: string | undefined },
): Promise<{
  request: DescribedRequest
  profile: Profile
  language: Language
  offered: readonly Language[]
}> {
  const [profile, verifierNames] = await Promise.all([
    getProfile(ctx, tenant_id),
    getVerifierNames(ctx, certificate),
  ])
  const { brand } = profile
  const all = listLanguages({ edited_only: profile.edited_languages_only })
  // A purpose given with the verification itself takes precedence.
  const reasons = purpose === null || purpose === purposes?.[0]?.content ? (purposes ?? []) : []
  const translated = reasons.map(({ lang: code }) => code).filter(isLanguage)
  const shared = translated.filter((code) => all.includes(code))
  const offered = shared.length > 0 ? shared : all
  const language = chooseLanguage(lang, acceptLanguage, offered)
  const name = brand.display_name ?? profile.name
  const reason = reasons.find((each) => each.lang === language)?.content ?? reasons[0]?.content ?? purpose
  const request = {
    test: environment === 'test',
    lang: language,
    merchant: {
      name,
      ...verifierNames,
      ...(brand.colour !== undefined && { colour: brand.colour }),
      ...(brand.logo !== undefined && { logo: brand.logo }),
      ...(brand.privacy_url !== undefined && { privacy_url: brand.privacy_url }),
      ...(brand.kept_days !== undefined && { kept_days: brand.kept_days }),
    },
    ...(reason !== null && { purpose: reason }),
    ...summariseRequest(query, rules, language),
    asks: describeRequest(query, rules, language),
    retention:
      erasing_day === null
        ? describeRetention(
            profile.forget_on_delivery ? 'on_delivery' : { days: profile.retention_days },
            { name, kept_days: brand.kept_days },
            language,
          )
        : fillIn(texts(language).page.erase_compared, { merchant: name }),
  }
  return { request, profile, language, offered }
}

/** The end of a verification that only deletes. */
function describeErasure(language: Language): HolderVerification['done'] {
  const { erase_done_title, erase_reference } = texts(language).page
  return { title: erase_done_title, card: erase_reference }
}

/** The channels to a wallet. None while a response is held back: another one would not be accepted. */
async function listChannels(
  ctx: Context,
  verification: HolderVerificationRecord,
  { profile, origin, ...choice }: { profile: Profile; origin: string } & WalletChoice,
) {
  const { seed } = verification
  // The seed is deleted when a wallet responds.
  if (verification.withheld || seed === null) return {}
  const onScreen = allowsScreen(verification, profile)
  const { moving_code } = profile
  const ageApp = (via: AgeAppVia) => ageAppUri(ctx, { ...verification, seed }, profile, via)
  const age_app_uri = ageApp('age_app')
  // The app gets its request in the code itself, which cannot be made to expire.
  const age_app_screen_uri = onScreen && !moving_code ? ageApp('age_app_screen') : undefined
  const { BASE_URL } = ctx.config
  const linkWith = (link: string | undefined) => walletUri(BASE_URL, verification, link)
  return {
    wallet_uri: linkWith(profile.wallet_links[0]),
    links: profile.wallet_links.map((link) => ({ name: URL.parse(link)?.host ?? link, uri: linkWith(link) })),
    ...listWallets(choice, verification.environment, linkWith),
    ...(onScreen &&
      (moving_code
        ? { moving_code, screen_uri: movingCodeUri(ctx, verification, verification.now_seconds) }
        : { screen_uri: screenUri(BASE_URL, verification) })),
    ...(age_app_uri !== undefined && { age_app_uri }),
    ...(age_app_screen_uri !== undefined && { age_app_screen_uri }),
    ...((await allowsOrigin(ctx, verification, origin)) && { dc_api: true }),
  }
}

/** The merchant's page, without a code: only the wallet's own redirect carries one. */
function returnUrl({ redirect_url }: HolderVerificationRecord): Pick<HolderVerification, 'return_url'> {
  return redirect_url === null ? {} : { return_url: redirect_url }
}

/** Where a holder without a wallet can proceed: as the verification says, or the tenant. */
function alternativeUrl(
  verification: HolderVerificationRecord,
  brand: Profile['brand'],
): Pick<HolderVerification, 'alternative_url'> {
  const alternative_url = verification.alternative_url ?? brand.alternative_url
  return alternative_url === undefined ? {} : { alternative_url }
}

/** The reasons that say nothing about a claim, and what a holder can do something about. */
const reasons: Partial<Record<FailureCode, HolderReason>> = {
  credential_expired: 'expired',
  credential_revoked: 'withdrawn',
  issuer_untrusted: 'unknown_issuer',
}

function describeAttempt({
  failure_code,
  attempts_left,
}: HolderPhaseRow): Pick<HolderVerification, 'attempt'> {
  if (failure_code === null) return {}
  const reason = isFailureCode(failure_code) ? reasons[failure_code] : undefined
  return {
    attempt: { outcome: toOutcome(failure_code), ...(reason && { reason }), left: attempts_left },
  }
}

/** Three outcomes for all failures: on an age template, the exact reason would be the claim (PAGE-4). */
const outcomes: Record<FailureCode, Extract<HolderOutcome, 'declined' | 'try_again' | 'not_accepted'>> = {
  holder_declined: 'declined',
  wallet_error: 'try_again',
  credential_malformed: 'try_again',
  holder_binding_invalid: 'try_again',
  status_unavailable: 'try_again',
  signature_invalid: 'not_accepted',
  issuer_untrusted: 'not_accepted',
  credential_expired: 'not_accepted',
  credential_revoked: 'not_accepted',
  query_not_satisfied: 'not_accepted',
  requirement_not_met: 'not_accepted',
}

/**
 * The phase as the holder sees it. A response that is held back looks like no response: the person who sent the holder here may
 * watch the same page, and the outcome can be the claim itself (ADR 13).
 */
export function toPhase({
  status,
  withheld,
  opened,
  cancelled,
  link_used,
  failure_code,
}: HolderPhaseRow): HolderPhase {
  switch (status) {
    case 'pending':
      return opened || withheld ? 'opened' : 'pending'
    case 'failed':
      return toOutcome(failure_code)
    case 'expired':
      return link_used ? 'used' : cancelled ? 'cancelled' : 'expired'
    case 'completed':
      return 'completed'
  }
}

export function isOpen(phase: HolderPhase): phase is Exclude<HolderPhase, HolderOutcome> {
  return phase === 'pending' || phase === 'opened'
}

function toOutcome(code: string | null): (typeof outcomes)[FailureCode] {
  return code !== null && isFailureCode(code) ? outcomes[code] : 'not_accepted'
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(outcomes, code)
}
