import {
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { AccountsContext } from '../../context.ts'
import { requireInvitation } from '../invitations/accept-invitation.ts'
import { readNow } from '../../sign-in/store.ts'
import { requestedStrength } from './open-provider.ts'

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

/**
 * State of a sign-in at the provider, sealed in a cookie: only the browser that started it can finish it, and nothing is
 * stored for those who never come back.
 */
export type OidcFlow = z.infer<typeof OidcFlow>
const OidcFlow = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  return_to: z.string(),
  /** The person must sign in at the provider again, even with a session there. */
  fresh: z.boolean().optional(),
  invitation: z.strictObject({ token: z.string(), name: z.string() }).optional(),
  expires_seconds: z.int(),
})

const sealPurpose = 'oidc flow'
export const flowLifetime_seconds = 600

async function sealFlow(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  flow: Omit<OidcFlow, 'expires_seconds'>,
): Promise<string> {
  const { seconds } = await readNow(db)
  const text = JSON.stringify({ ...flow, expires_seconds: seconds + flowLifetime_seconds })
  return keyring.seal(sealPurpose, Buffer.from(text)).toString('base64url')
}

/** Undefined if it was not sealed here, or has expired. */
export async function unsealFlow(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  sealed: string | undefined,
): Promise<OidcFlow | undefined> {
  if (sealed === undefined) return undefined
  // It throws for a value that it did not seal.
  const plain = await keyring.unseal(sealPurpose, Buffer.from(sealed, 'base64url')).catch(() => undefined)
  if (plain === undefined) return undefined
  const flow = OidcFlow.parse(JSON.parse(plain.toString()))
  const { seconds } = await readNow(db)
  return flow.expires_seconds > seconds ? flow : undefined
}
