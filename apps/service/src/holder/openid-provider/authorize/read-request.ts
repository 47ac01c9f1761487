import type { Language } from '@vidimus/holder-texts'
import { OAuthError } from '../oauth-error.ts'
import { templateScopePrefix } from '../token/render-claims.ts'

/** The parameters as they were sent. A repeated one is a list. */
export type Parameters = Readonly<Record<string, string | string[] | undefined>>

export type ResponseMode = 'query' | 'form_post'

export type AuthorizationRequest = {
  template: string
  nonce: string | null
  /** Null only if the client may do without, and then there is a nonce. */
  code_challenge: string | null
  language: Language | undefined
  /** The site asks for a new sign-in, whatever the browser has done before. */
  restarts: boolean
}

/** They come back to the site in a URL. */
export const maxState_characters = 1024
export const maxNonce_characters = 512

const unsupported = {
  request: 'request_not_supported',
  request_uri: 'request_uri_not_supported',
  registration: 'registration_not_supported',
} as const

/** How the response reaches the site. An unsupported mode is refused when the request is read, with the error in the query. */
export function chooseResponseMode({ response_mode, redirect_uri }: Parameters): ResponseMode {
  // Only a web server takes a form.
  return response_mode === 'form_post' && /^https?:/i.test(String(redirect_uri)) ? 'form_post' : 'query'
}

/** Checks an authorization request whose client and redirect address are known. Throws an OAuthError, which the site is told. */
export function readAuthorizationRequest(
  params: Parameters,
  {
    templates,
    pkce_required,
    languages,
  }: { templates: readonly string[]; pkce_required: boolean; languages: readonly Language[] },
): AuthorizationRequest {
  const given = readSingle(params)
  for (const [name, code] of Object.entries(unsupported))
    if (given(name) !== undefined)
      throw new OAuthError(code, `The parameter ${name} is not supported. Switch it off at the site.`)
  const response_type = given('response_type')
  if (response_type === undefined) throw new OAuthError('invalid_request', 'response_type is missing.')
  if (response_type !== 'code')
    throw new OAuthError(
      'unsupported_response_type',
      'response_type must be code. Choose the authorization code flow, not the implicit or hybrid flow.',
    )
  if ((given('response_mode') ?? 'query') !== chooseResponseMode(params))
    throw new OAuthError(
      'invalid_request',
      'response_mode must be query or, with a web address as redirect_uri, form_post.',
    )
  const scopes = (given('scope') ?? '').split(' ')
  if (!scopes.includes('openid'))
    throw new OAuthError('invalid_scope', `scope must contain openid. ${whereScopesAre}`)
  const template = readTemplate(scopes, templates)
  const code_challenge = readChallenge(given, pkce_required)
  readState(given)
  const nonce = given('nonce') ?? null
  if (nonce !== null && !isShort(nonce, maxNonce_characters))
    throw new OAuthError('invalid_request', `nonce must have at most ${maxNonce_characters} characters.`)
  if (nonce === null && code_challenge === null)
    throw new OAuthError(
      'invalid_request',
      'nonce is missing. A request without PKCE must have one. Switch either on at the site.',
    )
  if (!/^\d{1,9}$/.test(given('max_age') ?? '0'))
    throw new OAuthError('invalid_request', 'max_age must be a number of seconds.')
  const prompts = given('prompt')?.split(' ') ?? []
  // There is no earlier result to return: every verification needs the wallet.
  if (prompts.includes('none'))
    throw prompts.length === 1
      ? new OAuthError(
          'login_required',
          'prompt must not be none: a verification always needs the person and the wallet.',
        )
      : new OAuthError('invalid_request', 'prompt=none must be alone.')
  const restarts = prompts.includes('login') || given('max_age') !== undefined
  return { template, nonce, code_challenge, language: readLanguage(given('ui_locales'), languages), restarts }
}

/** The state, if it can be sent back. */
export function readState(given: (name: string) => string | undefined): string | null {
  const state = given('state') ?? null
  if (state !== null && !isShort(state, maxState_characters))
    throw new OAuthError('invalid_request', `state must have at most ${maxState_characters} characters.`)
  return state
}

/** Reads parameters that must not be repeated (RFC 6749 §3.1). An empty one counts as absent. */
export function readSingle(params: Parameters): (name: string) => string | undefined {
  const repeated = Object.keys(params).find((name) => Array.isArray(params[name]))
  if (repeated !== undefined)
    throw new OAuthError(
      'invalid_request',
      `${/^\w{1,40}$/.test(repeated) ? repeated : 'A parameter'} is given more than once.`,
    )
  return (name) => {
    const value = Object.hasOwn(params, name) ? params[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

const whereScopesAre = 'The dashboard has the scopes to copy: OpenID clients, Set up.'

/** One scope names the template; without it, a client that has only one template asks with that. Scopes of others are ignored, as OpenID Connect asks. */
function readTemplate(scopes: readonly string[], templates: readonly string[]): string {
  const named = scopes
    .filter((scope) => scope.startsWith(templateScopePrefix))
    .map((scope) => scope.slice(templateScopePrefix.length))
  const [template = templates[0] ?? '', ...others] = named
  const ambiguous = others.length > 0 || (named.length === 0 && templates.length !== 1)
  if (ambiguous)
    throw new OAuthError(
      'invalid_scope',
      `scope must name ${others.length > 0 ? 'only one template' : 'a template, since this client has several'}, as in: openid vidimus:age_over_18. ${whereScopesAre}`,
    )
  if (!templates.includes(template))
    throw new OAuthError(
      'invalid_scope',
      `scope names a template that this client may not ask with${/^[\w-]{1,64}$/.test(template) ? `: ${template}` : ''}. ${whereScopesAre}`,
    )
  return template
}

/**
 * Without PKCE, or with a challenge that shows its verifier, a stolen code would be enough (RFC 7636, RFC 9700 §2.1.1). Null if the
 * client may do without and sends nothing of it.
 */
function readChallenge(given: (name: string) => string | undefined, required: boolean): string | null {
  const challenge = given('code_challenge')
  if (challenge === undefined && !required && given('code_challenge_method') === undefined) return null
  if (challenge === undefined)
    throw new OAuthError(
      'invalid_request',
      'code_challenge is missing. Switch PKCE on at the site, with the method S256.',
    )
  if (given('code_challenge_method') !== 'S256')
    throw new OAuthError(
      'invalid_request',
      'code_challenge_method must be S256. Choose S256 as the PKCE method at the site, not plain.',
    )
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge))
    throw new OAuthError('invalid_request', 'code_challenge must be the base64url form of a SHA-256.')
  return challenge
}

function isShort(value: string, max: number): boolean {
  return value.length <= max && value.isWellFormed() && !value.includes('\0')
}

/** The first of the languages that the site names and the page has (OpenID Connect Core §3.1.2.1). */
function readLanguage(locales: string | undefined, languages: readonly Language[]): Language | undefined {
  const wanted = (locales ?? '').split(' ').map((locale) => locale.split('-')[0]?.toLowerCase() ?? '')
  return wanted.flatMap((each) => languages.find((language) => language === each) ?? [])[0]
}
