import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import { z } from 'zod'
import { Refusal } from '../../../engine/basics/index.ts'
import type { Context } from '../../../engine/context.ts'
import type { Db } from '../../../engine/db/index.ts'
import { readNow, spendChallenge } from '../store.ts'
import { hashToken } from '../tokens.ts'
import { type Provider, findMissingStrength, requestedStrength } from './open-provider.ts'

export const flowLifetime_seconds = 600

/** Whose sign-in it is. What is sealed for one kind is worth nothing for another. */
export type FlowKind<Carried> = {
  /** Of the seal. */
  purpose: string
  redirect_uri: string
  /** What the sign-in is for, which comes back with the browser. */
  carried: z.ZodType<Carried>
}

/**
 * State of a sign-in at the provider, sealed in a cookie: only the browser that started it can finish it, and nothing is
 * stored for those who never come back.
 */
export type Flow<Carried> = z.infer<typeof Sealed> & {
  carried: Carried
  /** Since it started. */
  age_seconds: number
}
const Sealed = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The person must sign in at the provider again, even with a session there. */
  fresh: z.boolean(),
  carried: z.unknown(),
  expires_seconds: z.int(),
})

type StartFlow<Carried> = {
  provider: Provider | undefined
  kind: FlowKind<Carried>
  fresh: boolean
  carried: Carried
}

/** Where to send the browser, and the sealed state for its cookie. */
export async function startFlow<Carried>(
  ctx: Pick<Context, 'config' | 'db' | 'keyring' | 'log'>,
  { provider, kind, fresh, carried }: StartFlow<Carried>,
): Promise<{ location: string; flow: string }> {
  if (provider === undefined) throw new Refusal('not_found', 'No identity provider is configured.')
  const configuration = await provider.configuration().catch((error: unknown) => {
    // The provider is unavailable or misconfigured. People can use a passkey or wait.
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
    redirect_uri: kind.redirect_uri,
    scope: 'openid email profile',
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(fresh && { prompt: 'login', max_age: '0', ...requestedStrength(provider.strength) }),
  })
  const { seconds } = await readNow(ctx.db)
  const text = JSON.stringify({
    ...requestParameters,
    verifier,
    fresh,
    carried,
    expires_seconds: seconds + flowLifetime_seconds,
  })
  return {
    location: location.href,
    flow: ctx.keyring.seal(kind.purpose, Buffer.from(text)).toString('base64url'),
  }
}

/** Undefined if it was not sealed here for this kind, or has expired. */
export async function unsealFlow<Carried>(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  kind: Pick<FlowKind<Carried>, 'purpose' | 'carried'>,
  sealed: string | undefined,
): Promise<Flow<Carried> | undefined> {
  if (sealed === undefined) return undefined
  // It throws for a value that it did not seal.
  const plain = await keyring.unseal(kind.purpose, Buffer.from(sealed, 'base64url')).catch(() => undefined)
  if (plain === undefined) return undefined
  const flow = Sealed.parse(JSON.parse(plain.toString()))
  const { seconds } = await readNow(db)
  if (flow.expires_seconds <= seconds) return undefined
  const age_seconds = Math.max(0, seconds - (flow.expires_seconds - flowLifetime_seconds))
  return { ...flow, carried: kind.carried.parse(flow.carried), age_seconds }
}

/** False if it was finished before: a copied callback and cookie are worth nothing. In the transaction of what follows. */
export async function spendFlow(
  tx: Db,
  { state, expires_seconds }: Pick<Flow<unknown>, 'state' | 'expires_seconds'>,
): Promise<boolean> {
  return spendChallenge(tx, { hash: hashToken(state), expires_seconds })
}

export type ProviderIdentity = { issuer: string; subject: string }

type ExchangeCode = {
  provider: Provider | undefined
  flow: Pick<Flow<unknown>, 'state' | 'nonce' | 'verifier' | 'fresh' | 'age_seconds'>
  /** The address of the callback, with its query. */
  url: URL
}

/**
 * Who signed in at the provider; undefined if nobody did. The library checks state, nonce, PKCE, issuer, audience, times and signature
 * (OpenID Connect Core 1.0 §3.1.3.7).
 */
export async function exchangeCode(
  { log }: Pick<Context, 'log'>,
  { provider, flow, url }: ExchangeCode,
): Promise<ProviderIdentity | undefined> {
  if (provider === undefined) return undefined
  try {
    const tokens = await authorizationCodeGrant(await provider.configuration(), url, {
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
      // Requires `auth_time`, and that it is not before the flow (OpenID Connect Core 1.0 §3.1.2.1).
      ...(flow.fresh && { maxAge: flow.age_seconds }),
    })
    const claims = tokens.claims()
    const missing =
      flow.fresh && claims !== undefined ? findMissingStrength(provider.strength, claims) : undefined
    if (missing !== undefined)
      log.warn({ claim: missing }, 'the identity provider did not authenticate as …OIDC_STEP_UP_… requires')
    else if (claims !== undefined && claims.sub.length <= 255)
      return { issuer: claims.iss, subject: claims.sub }
  } catch (error) {
    // The person declined, the provider is unavailable or the token is invalid; the log says which.
    log.warn({ err: error }, 'sign-in with the identity provider failed')
  }
  return undefined
}
