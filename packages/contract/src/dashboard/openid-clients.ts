import { z } from 'zod'
import { isRedirectTarget } from '../redirect-target.ts'
import { text } from '../text.ts'
import { describe, Purpose, TemplateKey, Timestamp, Uri } from '../values.ts'
import { EnvironmentName } from './values.ts'

export const maxRedirectUris = 20
export const maxClientTemplates = 20
/** Of a tenant, in both environments. */
export const maxOpenIdClients = 50
/** What precedes a template's name in a scope. */
export const templateScopePrefix = 'vidimus:'
/** For how long the secret before the newest one keeps working: not at all, an hour, a day or a week. */
export const clientSecretOverlaps_seconds = [0, 3600, 86_400, 604_800] as const

/**
 * Where a browser may be sent with a code (RFC 6749 §3.1.2). Compared as text, so what differs in one character is another address. A
 * code in plain http could be read in transit, except on the developer's own machine.
 */
const RedirectUri = Uri.refine(
  isRedirectTarget,
  "must be https or an app's own scheme with a domain name (com.shop.app:/…), without a user name, a password or a backslash",
)
  .refine((uri) => !uri.includes('#'), 'must not have a fragment (#…)')
  .refine((uri) => !/^http:/i.test(uri) || isOwnMachine(uri), 'must be https, except for localhost')

function isOwnMachine(uri: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(uri).hostname)
}

/** How the token endpoint recognises a client: by its secret, or, where none can be kept, by nothing but PKCE. */
export const clientAuthentications = ['secret', 'none'] as const
export type ClientAuthentication = (typeof clientAuthentications)[number]
export const idTokenAlgorithms = ['RS256', 'ES256'] as const
export type IdTokenAlgorithm = (typeof idTokenAlgorithms)[number]

const example = {
  name: 'Harbour Wines',
  redirect_uris: ['https://shop.example.com/login/callback'],
  templates: ['age_over_18'],
  purpose: 'Age check for your order',
  subject_claim: 'personal_administrative_number',
}

/** The id of a client in a path. */
export const OpenIdClientId = describe(
  z.string().regex(/^oc_[A-Za-z0-9_-]{22}$/, 'must be the id of a client'),
  'The id of the client.',
  'oc_h3mXw8cVbq2yN5tKzL9rPd',
)
const RedirectUris = describe(
  z.array(RedirectUri).min(1).max(maxRedirectUris),
  'Where browsers may be sent with a code. Compared character by character.',
  example.redirect_uris,
)
const ClientTemplates = describe(
  z
    .array(TemplateKey.refine((key) => !/[\s"\\]/.test(key), 'must have no spaces, quotes or backslashes'))
    .min(1)
    .max(maxClientTemplates),
  'The templates that it may ask with, by the scope `vidimus:` and the key of the template.',
  example.templates,
)
const ClientName = describe(text({ min: 1, max: 80 }), 'Its name, for people.', example.name)
const ClientPurpose = describe(
  Purpose,
  'What the holder is told about the reason. It never comes from the browser.',
  example.purpose,
)
const ClaimName = text({ min: 1, max: 128 })
const SubjectClaim = describe(
  ClaimName,
  'The claim that tells people apart. Without it every verification has a new subject.',
  example.subject_claim,
)
const IdTokenAlgorithm = describe(
  z.enum(idTokenAlgorithms),
  'The algorithm that signs its ID tokens.',
  'RS256',
)
/** A code that is passed on then signs its sender in as the person who responds. */
const CrossDevice = describe(
  z.boolean(),
  'Whether a wallet on another device than the browser may respond, by a QR code. Only a client with a subject claim is restricted.',
  false,
)
const PkceRequired = describe(
  z.boolean(),
  'False: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret.',
  true,
)
const Authentication = describe(
  z.enum(clientAuthentications),
  'How the client authenticates: with its secret, or only with PKCE where no secret can be kept. It never changes.',
  'secret',
)

/** What a member decides about a client. */
export type OpenIdClientInput = z.infer<typeof OpenIdClientInput>
export const OpenIdClientInput = z
  .strictObject({
    name: ClientName,
    redirect_uris: RedirectUris,
    templates: ClientTemplates,
    purpose: ClientPurpose.optional(),
    authentication: Authentication.default('secret'),
    id_token_algorithm: IdTokenAlgorithm.default('RS256'),
    subject_claim: SubjectClaim.optional(),
    cross_device: CrossDevice.default(false),
    pkce_required: PkceRequired.default(true),
  })
  .refine(({ authentication, pkce_required }) => pkce_required || authentication === 'secret', {
    path: ['pkce_required'],
    message: 'must be true for a client without a secret',
  })
  .meta({
    id: 'OpenIdClientInput',
    examples: [{ name: example.name, redirect_uris: example.redirect_uris, templates: example.templates }],
  })

/** Absent members stay unchanged. How a client authenticates never changes: another kind of site is another client. */
export type ChangeOpenIdClient = z.infer<typeof ChangeOpenIdClient>
export const ChangeOpenIdClient = z
  .strictObject({
    name: ClientName.optional(),
    redirect_uris: RedirectUris.optional(),
    templates: ClientTemplates.optional(),
    purpose: describe(
      Purpose.nullable(),
      'What the holder is told about the reason. `null` removes it.',
      example.purpose,
    ).optional(),
    id_token_algorithm: IdTokenAlgorithm.optional(),
    subject_claim: describe(
      ClaimName.nullable(),
      'The claim that tells people apart. `null` removes it.',
      example.subject_claim,
    ).optional(),
    cross_device: CrossDevice.optional(),
    pkce_required: PkceRequired.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'give at least one member to change')
  .meta({ id: 'ChangeOpenIdClient', examples: [{ purpose: example.purpose }] })

export type OpenIdClient = z.infer<typeof OpenIdClient>
export const OpenIdClient = z
  .strictObject({
    id: describe(z.string(), 'The `client_id`.', 'oc_h3mXw8cVbq2yN5tKzL9rPd'),
    environment: describe(EnvironmentName, 'The environment of its verifications.', 'test'),
    issuer: describe(
      z.string(),
      'The address of the OpenID provider that it is registered with.',
      'https://verify.example.com/oidc/3f2a9c71-5d0e-4b86-9a14-c8e7d6b5f402',
    ),
    discovery_url: describe(
      z.string(),
      'Where the provider describes itself.',
      'https://verify.example.com/oidc/3f2a9c71-5d0e-4b86-9a14-c8e7d6b5f402/.well-known/openid-configuration',
    ),
    scopes: describe(
      z.array(z.string()),
      'A scope for each template. A request has `openid` and one of them.',
      ['vidimus:age_over_18'],
    ),
    name: describe(z.string(), 'Its name, for people.', example.name),
    redirect_uris: describe(
      z.array(z.string()),
      'Where browsers may be sent with a code.',
      example.redirect_uris,
    ),
    templates: describe(z.array(z.string()), 'The templates that it may ask with.', example.templates),
    purpose: describe(z.string(), 'What the holder is told about the reason.', example.purpose).optional(),
    authentication: Authentication,
    id_token_algorithm: IdTokenAlgorithm,
    subject_claim: describe(
      z.string(),
      'The claim that tells people apart. Without it every verification has a new subject.',
      example.subject_claim,
    ).optional(),
    cross_device: describe(
      z.boolean(),
      'Whether a wallet on another device than the browser may respond. Present with a subject claim.',
      false,
    ).optional(),
    pkce_required: PkceRequired,
    missing_templates: describe(z.array(z.string()), 'Those of its templates that no longer exist.', [
      'hotel_check_in',
    ]).optional(),
    previous_secret_expires_at: describe(
      Timestamp,
      'Until then the secret before the newest one works too.',
      '2026-11-16T09:00:00.123456Z',
    ).optional(),
    last_problem: describe(
      z.strictObject({
        at: describe(Timestamp, 'When it was refused.', '2026-11-15T11:30:00.123456Z'),
        description: describe(
          z.string(),
          'The reason, in English.',
          'The redirect_uri is not registered for this client.',
        ),
      }),
      'Why the last request of its site was refused. Absent if one has succeeded since.',
    ).optional(),
    created_at: describe(Timestamp, 'When it was created.', '2026-11-15T09:00:00.123456Z'),
  })
  .meta({ id: 'OpenIdClient' })

export type OpenIdClientList = z.infer<typeof OpenIdClientList>
export const OpenIdClientList = z
  .strictObject({ data: describe(z.array(OpenIdClient).max(maxOpenIdClients), 'Newest first.') })
  .meta({ id: 'OpenIdClientList' })

export type CreatedOpenIdClient = z.infer<typeof CreatedOpenIdClient>
export const CreatedOpenIdClient = z
  .strictObject({
    client: OpenIdClient,
    secret: describe(
      z.string(),
      'Shown only once. Absent if the client has no secret.',
      'vcs_test_0p7Qm…',
    ).optional(),
  })
  .meta({ id: 'CreatedOpenIdClient' })

export type RollClientSecret = z.infer<typeof RollClientSecret>
export const RollClientSecret = z
  .strictObject({
    overlap_seconds: describe(
      z.union(clientSecretOverlaps_seconds.map((seconds) => z.literal(seconds))),
      'For how long the secret before keeps working: not at all, an hour, a day or a week.',
      86_400,
    ),
  })
  .meta({ id: 'RollClientSecret' })
