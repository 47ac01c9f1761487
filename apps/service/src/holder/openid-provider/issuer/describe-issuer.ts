import { idTokenAlgorithms } from '@vidimus/contract'
import { languages } from '@vidimus/holder-texts'
import { standardClaims } from '../token/render-claims.ts'

/** The discovery document (OpenID Connect Discovery 1.0 §3, RFC 8414, RFC 9207). */
export function describeIssuer(issuer: string): Record<string, unknown> {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    // A client is registered with its templates; each is a scope of its own.
    scopes_supported: ['openid'],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'form_post'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: idTokenAlgorithms,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    code_challenge_methods_supported: ['S256'],
    claims_supported: ['sub', 'sub_type', 'acr', 'auth_time', 'verification', 'verified', ...standardClaims],
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: Object.keys(languages),
  }
}
