import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client'
import type { Registration, RelyingParty } from './web-site.ts'

/** A site that uses openid-client, with every check that it has. Without https, since the tests have none. */
export async function useOpenidClient(registration: Registration): Promise<RelyingParty> {
  const { issuer, client_id, secret, redirect_uri } = registration
  const configuration = await discovery(new URL(issuer), client_id, {}, ClientSecretBasic(secret), {
    execute: [allowInsecureRequests, enableNonRepudiationChecks],
  })
  return {
    async start() {
      const pending = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri,
        scope: 'openid vidimus:age_over_18',
        state: pending.state,
        nonce: pending.nonce,
        code_challenge: await calculatePKCECodeChallenge(pending.verifier),
        code_challenge_method: 'S256',
      })
      return { url, pending }
    },
    async finish(returned, { state, nonce, verifier }) {
      const tokens = await authorizationCodeGrant(configuration, returned, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
        maxAge: 60,
      })
      const claims = tokens.claims()
      if (claims === undefined) throw new Error('There is no ID token.')
      return { claims, userinfo: await fetchUserInfo(configuration, tokens.access_token, claims.sub) }
    },
  }
}
