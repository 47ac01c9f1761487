import type { HolderOutcome, HolderPhase, HolderVerification } from '@vidimus/contract'
import { describeRequest, describeRetention } from '@vidimus/holder-texts'
import type { FailureCode } from '@vidimus/protocol'
import { type Profile, getProfile } from '../../accounts/index.ts'
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
  ownOrigin,
  screenUri,
  walletUri,
} from '../../verifications/index.ts'
import { type WalletChoice, listWallets } from './list-wallets.ts'

type GetHolderVerification = WalletChoice & {
  id: string
  /** The origin of the page that asks. By default the service's own page. */
  origin?: string | undefined
}

/**
 * What a holder may know about a verification: who asks, why, for what, and its phase. It contains nothing of the result and
 * nothing of the merchant's own data (PAGE-4). Undefined if there is no such verification.
 */
export async function getHolderVerification(
  ctx: Context,
  { id, origin = ownOrigin(ctx), ...choice }: GetHolderVerification,
): Promise<HolderVerification | undefined> {
  const { language } = choice
  const verification = await findHolderVerification(ctx, id)
  if (verification === undefined) return undefined
  const [profile, verifierNames] = await Promise.all([
    getProfile(ctx, verification.tenant_id),
    getVerifierNames(ctx, verification.certificate),
  ])
  const { brand } = profile
  const name = brand.display_name ?? profile.name
  const phase = toPhase(verification)
  return {
    phase,
    now: verification.now,
    expires_at: verification.expires_at,
    test: verification.environment === 'test',
    lang: language,
    merchant: {
      name,
      ...verifierNames,
      ...(brand.colour !== undefined && { colour: brand.colour }),
      ...(brand.logo !== undefined && { logo: brand.logo }),
      ...(brand.privacy_url !== undefined && { privacy_url: brand.privacy_url }),
    },
    ...(verification.purpose !== null && { purpose: verification.purpose }),
    asks: describeRequest(verification.query, verification.rules, language),
    retention: describeRetention(
      profile.forget_on_delivery ? 'on_delivery' : { days: profile.retention_days },
      name,
      language,
    ),
    ...(isOpen(phase)
      ? await listChannels(ctx, verification, { profile, origin, ...choice })
      : returnUrl(verification)),
  }
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
  const ageApp = (via: AgeAppVia) => ageAppUri(ctx, { ...verification, seed }, profile, via)
  const age_app_uri = ageApp('age_app')
  const age_app_screen_uri = onScreen ? ageApp('age_app_screen') : undefined
  const { BASE_URL } = ctx.config
  const linkWith = (link: string | undefined) => walletUri(BASE_URL, verification, link)
  return {
    wallet_uri: linkWith(profile.wallet_links[0]),
    links: profile.wallet_links.map((link) => ({ name: URL.parse(link)?.host ?? link, uri: linkWith(link) })),
    ...listWallets(choice, verification.environment, linkWith),
    ...(onScreen && { screen_uri: screenUri(BASE_URL, verification) }),
    ...(age_app_uri !== undefined && { age_app_uri }),
    ...(age_app_screen_uri !== undefined && { age_app_screen_uri }),
    ...((await allowsOrigin(ctx, verification, origin)) && { dc_api: true }),
  }
}

/** The merchant's page, without a code: only the wallet's own redirect carries one. */
function returnUrl({ redirect_url }: HolderVerificationRecord): Pick<HolderVerification, 'return_url'> {
  return redirect_url === null ? {} : { return_url: redirect_url }
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
export function toPhase({ status, withheld, opened, failure_code }: HolderPhaseRow): HolderPhase {
  switch (status) {
    case 'pending':
      return opened || withheld ? 'opened' : 'pending'
    case 'failed':
      return failure_code !== null && isFailureCode(failure_code) ? outcomes[failure_code] : 'not_accepted'
    case 'completed':
    case 'expired':
      return status
  }
}

export function isOpen(phase: HolderPhase): phase is Exclude<HolderPhase, HolderOutcome> {
  return phase === 'pending' || phase === 'opened'
}

function isFailureCode(code: string): code is FailureCode {
  return Object.hasOwn(outcomes, code)
}
