import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { AccountsContext } from '../../context.ts'
import { Refusal } from '../../../engine/basics/index.ts'
import { requireInvitation } from '../invitations/read.ts'
import { sealFlow } from './flow.ts'
import { requestedStrength } from './strength.ts'

const callbackPath = '/dashboard/api/sign-in/oidc/callback'

export type StartOidc = {
  return_to?: string | undefined
  fresh?: boolean | undefined
  invitation?: { token: string; name: string }
}

/** Where to send the browser, and the sealed state for its cookie. */
export async function startOidc(
  ctx: Pick<AccountsContext, 'config' | 'db' | 'keyring' | 'oidc' | 'log'>,
  { return_to = '/dashboard', fresh = false, invitation }: StartOidc,
): Promise<{ location: string; flow: string }> {
  if (ctx.oidc === undefined) throw new Refusal('not_found', 'No identity provider is configured.')
  if (invitation !== undefined) await requireInvitation(ctx, invitation.token)
  const configuration = await ctx.oidc.configuration().catch((error: unknown) => {
    // The provider is unavailable or misconfigured. Members can use a passkey or wait.
    ctx.log.error({ err: error }, 'the identity provider is unavailable')
    throw new Refusal(
      'sign_in_unavailable',
      'The identity provider is unavailable. Try again in a moment.',
      10,
    )
  })
  const verifier = randomPKCECodeVerifier()
  const requestParameters = { state: ctx.config.CELL + randomState(), nonce: randomNonce() }
  const location = buildAuthorizationUrl(configuration, {
    ...requestParameters,
    redirect_uri: `${ctx.config.BASE_URL}${callbackPath}`,
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh && { prompt: 'login', max_age: '0', ...requestedStrength(ctx.config) }),
  })
  const flow = await sealFlow(ctx, {
    ...requestParameters,
    verifier,
    return_to,
    ...(fresh && { fresh }),
    ...(invitation !== undefined && { invitation }),
  })
  return { location: location.href, flow }
}
