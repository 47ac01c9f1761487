import { z } from 'zod'
import { text } from '../text.ts'
import { Timestamp } from '../values.ts'
import { SupportAccess } from './support.ts'
import { Email, MemberName, RoleName } from './values.ts'

/** The JSON forms of WebAuthn (Level 3, §5.1): created and read by the browser, checked by the service. */
const WebAuthnJson = z.record(z.string(), z.unknown())

export type SignInMethods = z.infer<typeof SignInMethods>
export const SignInMethods = z
  .strictObject({
    passkey: z.literal(true),
    oidc: z.boolean(),
    /** The host of the identity provider, for the button. */
    oidc_host: z.string().optional(),
    /** All cells, if there are several: each gives a challenge of its own. */
    cells: z.array(z.string()).optional(),
    /** Whether people can ask for an account of their own, and whether it waits for the operator before it can be used. */
    sign_up: z.enum(['waitlist', 'open']).optional(),
  })
  .meta({ id: 'SignInMethods' })

const CellName = z.string().regex(/^[0-9a-z]$/)

/** Which cell is asked, for the router. Each cell ignores it. */
export const AskedCell = z.object({ cell: CellName.optional() })

export const SwitchCell = z.strictObject({ cell: CellName }).meta({ id: 'SwitchCell' })

export type PasskeyOptions = z.infer<typeof PasskeyOptions>
export const PasskeyOptions = z
  .strictObject({
    options: WebAuthnJson.meta({
      description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
    }),
  })
  .meta({ id: 'PasskeyOptions' })

/** Without `options`, the member has no passkey and confirms at the identity provider. */
export type Confirmation = z.infer<typeof Confirmation>
export const Confirmation = z.strictObject({ options: WebAuthnJson.optional() }).meta({ id: 'Confirmation' })

export type FinishPasskeySignIn = z.infer<typeof FinishPasskeySignIn>
export const FinishPasskeySignIn = z
  .strictObject({ response: WebAuthnJson })
  .meta({ id: 'FinishPasskeySignIn' })

export type StartOidc = z.infer<typeof StartOidc>
export const StartOidc = z
  .strictObject({
    /** The dashboard page to open afterwards. */
    return_to: text({ max: 512 })
      .refine((value) => /^\/dashboard(?:\/[^/\\]|\/?$|\?)/.test(value), 'must be a page of the dashboard')
      .optional(),
    /** Requires a new sign-in at the provider, even if a session exists there. */
    fresh: z.boolean().optional(),
  })
  .meta({ id: 'StartOidc' })

export type RedirectLocation = z.infer<typeof RedirectLocation>
export const RedirectLocation = z.strictObject({ location: z.string() }).meta({ id: 'RedirectLocation' })

/** The provider's callback parameters. Additional ones are allowed. */
export const OidcCallback = z.looseObject({})

export type RequestSignUp = z.infer<typeof RequestSignUp>
export const RequestSignUp = z
  .strictObject({
    organisation: text({ min: 1, max: 200 }),
    email: Email,
    /** Of the mail. */
    language: z.enum(['en', 'de']).optional(),
  })
  .meta({ id: 'RequestSignUp' })

const InvitationToken = text({ min: 20, max: 100 })

export type ReadInvitation = z.infer<typeof ReadInvitation>
export const ReadInvitation = z.strictObject({ token: InvitationToken }).meta({ id: 'ReadInvitation' })

export type Invitation = z.infer<typeof Invitation>
export const Invitation = z
  .strictObject({
    tenant_name: z.string(),
    email: z.string(),
    role: RoleName,
    expires_at: Timestamp,
    /** The link adds a sign-in method to an existing member. */
    returning: z.boolean(),
    /** The link opens an account of its own. */
    signing_up: z.boolean(),
    methods: SignInMethods,
  })
  .meta({ id: 'Invitation' })

export type StartAcceptance = z.infer<typeof StartAcceptance>
export const StartAcceptance = z
  .strictObject({ token: InvitationToken, name: MemberName })
  .meta({ id: 'StartAcceptance' })

export type AcceptWithPasskey = z.infer<typeof AcceptWithPasskey>
export const AcceptWithPasskey = z
  .strictObject({
    token: InvitationToken,
    name: MemberName,
    passkey_name: MemberName.optional(),
    response: WebAuthnJson,
  })
  .meta({ id: 'AcceptWithPasskey' })

export type Passkey = z.infer<typeof Passkey>
export const Passkey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    created_at: Timestamp,
    last_used_at: Timestamp.optional(),
    /** Synchronised between devices by its provider. */
    backed_up: z.boolean(),
  })
  .meta({ id: 'Passkey' })

export type Me = z.infer<typeof Me>
export const Me = z
  .strictObject({
    member: z.strictObject({ id: z.uuid(), name: z.string(), email: z.string(), role: RoleName }),
    tenant: z.strictObject({ id: z.uuid(), name: z.string() }),
    /** The tenant creates no verifications: since when, and why. Closed is for good. */
    suspension: z
      .strictObject({
        state: z.enum(['suspended', 'closed']),
        since: Timestamp,
        reason: z.string().optional(),
      })
      .optional(),
    /**
     * What the operator has not approved: `pending`, live verifications; `waiting`, any; `refused`, live verifications, for good. Absent if
     * everything is.
     */
    approval: z.enum(['pending', 'waiting', 'refused']).optional(),
    /** Operators may look, without claims and secrets. Absent if they may not. */
    support_access: SupportAccess.optional(),
    session: z.strictObject({ signed_in_at: Timestamp, expires_at: Timestamp, others: z.int().min(0) }),
    sessions: z.array(
      z.strictObject({
        id: z.string(),
        signed_in_at: Timestamp,
        last_seen_at: Timestamp,
        /** The sign-in method: a passkey, the identity provider or a link. */
        method: z.enum(['passkey', 'oidc', 'link']).optional(),
        /** Browser and system in words, such as `Firefox, Windows`, if they are known. */
        browser: z.string().optional(),
        current: z.boolean(),
      }),
    ),
    /** Sign-in links that others created for this member, newest first. */
    return_links: z.array(
      z.strictObject({
        id: z.uuid(),
        made_by: z.string(),
        made_at: Timestamp,
        used_at: Timestamp.optional(),
      }),
    ),
    passkeys: z.array(Passkey),
    oidc_linked: z.boolean(),
    /** The service's time, so that countdowns are right even if the local clock is not. */
    now: Timestamp,
    /** The cell of this tenant, if there are several. */
    cell: z.string().optional(),
  })
  .meta({ id: 'Me' })

export type ChangeMe = z.infer<typeof ChangeMe>
export const ChangeMe = z.strictObject({ name: MemberName }).meta({ id: 'ChangeMe' })

export type AddPasskey = z.infer<typeof AddPasskey>
export const AddPasskey = z
  .strictObject({ name: MemberName, response: WebAuthnJson })
  .meta({ id: 'AddPasskey' })
