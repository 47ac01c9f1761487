import { z } from 'zod'
import { isRedirectTarget } from '../redirect-target.ts'
import { text } from '../text.ts'
import { Purpose, TemplateKey, Timestamp, Uri } from '../values.ts'
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

const RedirectUris = z.array(RedirectUri).min(1).max(maxRedirectUris)
const ClientTemplates = z
  .array(TemplateKey.refine((key) => !/[\s"\\]/.test(key), 'must have no spaces, quotes or backslashes'))
  .min(1)
  .max(maxClientTemplates)
const ClientName = text({ min: 1, max: 80 })
const SubjectClaim = text({ min: 1, max: 128 })

/** What a member decides about a client. */
export type OpenIdClientInput = z.infer<typeof OpenIdClientInput>
export const OpenIdClientInput = z
  .strictObject({
    name: ClientName,
    redirect_uris: RedirectUris,
    /** The templates that it may ask with, by the scope `vidimus:` and the template's name. */
    templates: ClientTemplates,
    /** What the holder is told about the reason. It never comes from the browser. */
    purpose: Purpose.optional(),
    authentication: z.enum(clientAuthentications).default('secret'),
    id_token_algorithm: z.enum(idTokenAlgorithms).default('RS256'),
    /** The claim that tells people apart, such as `personal_administrative_number`. Without it every verification has a new subject. */
    subject_claim: SubjectClaim.optional(),
    /**
     * Whether a wallet on another device than the browser may respond, by a QR code. A code that is passed on then signs its sender in as
     * the person who responds. Only a client with a subject claim is restricted.
     */
    cross_device: z.boolean().default(false),
    /** Off: a request without PKCE is accepted if it has a nonce (RFC 9700 §2.1.1). Only for clients with a secret. */
    pkce_required: z.boolean().default(true),
  })
  .refine(({ authentication, pkce_required }) => pkce_required || authentication === 'secret', {
    path: ['pkce_required'],
    message: 'must be true for a client without a secret',
  })
  .meta({ id: 'OpenIdClientInput' })

/** Absent members stay unchanged; null removes. How a client authenticates never changes: another kind of site is another client. */
export type ChangeOpenIdClient = z.infer<typeof ChangeOpenIdClient>
export const ChangeOpenIdClient = z
  .strictObject({
    name: ClientName.optional(),
    redirect_uris: RedirectUris.optional(),
    templates: ClientTemplates.optional(),
    purpose: Purpose.nullable().optional(),
    id_token_algorithm: z.enum(idTokenAlgorithms).optional(),
    subject_claim: SubjectClaim.nullable().optional(),
    cross_device: z.boolean().optional(),
    pkce_required: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'give at least one member to change')
  .meta({ id: 'ChangeOpenIdClient' })

export type OpenIdClient = z.infer<typeof OpenIdClient>
export const OpenIdClient = z
  .strictObject({
    id: z.string(),
    environment: EnvironmentName,
    /** The address of the OpenID provider that the client is registered with. */
    issuer: z.string(),
    /** Where the provider describes itself. */
    discovery_url: z.string(),
    /** A scope for each template. A request has `openid` and one of them. */
    scopes: z.array(z.string()),
    name: z.string(),
    redirect_uris: z.array(z.string()),
    templates: z.array(z.string()),
    purpose: z.string().optional(),
    authentication: z.enum(clientAuthentications),
    id_token_algorithm: z.enum(idTokenAlgorithms),
    subject_claim: z.string().optional(),
    /** Present with a subject claim. */
    cross_device: z.boolean().optional(),
    pkce_required: z.boolean(),
    /** Those of its templates that no longer exist. */
    missing_templates: z.array(z.string()).optional(),
    /** Until then the secret before the newest one works too. */
    previous_secret_expires_at: Timestamp.optional(),
    /** Why the last request of its site was refused, in English. Absent if one has succeeded since. */
    last_problem: z.strictObject({ at: Timestamp, description: z.string() }).optional(),
    created_at: Timestamp,
  })
  .meta({ id: 'OpenIdClient' })

export type OpenIdClientList = z.infer<typeof OpenIdClientList>
export const OpenIdClientList = z
  .strictObject({ data: z.array(OpenIdClient).max(maxOpenIdClients) })
  .meta({ id: 'OpenIdClientList' })

export type CreatedOpenIdClient = z.infer<typeof CreatedOpenIdClient>
export const CreatedOpenIdClient = z
  .strictObject({
    client: OpenIdClient,
    secret: z
      .string()
      .optional()
      .meta({ description: 'Shown only once. Absent if the client has no secret.' }),
  })
  .meta({ id: 'CreatedOpenIdClient' })

export type RollClientSecret = z.infer<typeof RollClientSecret>
export const RollClientSecret = z
  .strictObject({
    overlap_seconds: z.union(clientSecretOverlaps_seconds.map((seconds) => z.literal(seconds))),
  })
  .meta({ id: 'RollClientSecret' })
