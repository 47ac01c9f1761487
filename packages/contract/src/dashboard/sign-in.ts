import { z } from 'zod'
import { text } from '../text.ts'
import { Timestamp } from '../values.ts'
import { MemberName, RoleName } from './values.ts'

/** WebAuthn's own JSON forms (Level 3, §5.1): the browser makes and reads them, the service checks them. */
const WebAuthnJson = z.record(z.string(), z.unknown())

export type SignInMethods = z.infer<typeof SignInMethods>
export const SignInMethods = z
  .strictObject({
    passkey: z.literal(true),
    oidc: z.boolean(),
    /** The provider's host, for the button. */
    oidc_host: z.string().optional(),
  })
  .meta({ id: 'SignInWays' })

export type PasskeyOptions = z.infer<typeof PasskeyOptions>
export const PasskeyOptions = z
  .strictObject({
    options: WebAuthnJson.meta({
      description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`.',
    }),
  })
  .meta({ id: 'PasskeyOptions' })

/** Without options the member has no passkey, and confirms at the provider. */
export type Confirmation = z.infer<typeof Confirmation>
export const Confirmation = z.strictObject({ options: WebAuthnJson.optional() }).meta({ id: 'Confirmation' })

export type FinishPasskeySignIn = z.infer<typeof FinishPasskeySignIn>
export const FinishPasskeySignIn = z
  .strictObject({ response: WebAuthnJson })
  .meta({ id: 'FinishPasskeySignIn' })

export type StartOidc = z.infer<typeof StartOidc>
export const StartOidc = z
  .strictObject({
    /** Where to go afterwards: a page of the dashboard. */
    return_to: text({ max: 512 })
      .refine((value) => /^\/dashboard(?:\/[^/\\]|\/?$|\?)/.test(value), 'must be a page of the dashboard')
      .optional(),
    /** Have the person sign in at the provider again, whatever session they have there. */
    fresh: z.boolean().optional(),
  })
  .meta({ id: 'StartOidc' })

export type RedirectLocation = z.infer<typeof RedirectLocation>
export const RedirectLocation = z.strictObject({ location: z.string() }).meta({ id: 'GoTo' })

/** What a provider sends back; what else it adds is its own. */
export const OidcCallback = z.looseObject({})

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
    /** The link adds a way in to a member who is there already. */
    returning: z.boolean(),
    ways: SignInMethods,
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
    /** Copied between devices by its provider. */
    backed_up: z.boolean(),
  })
  .meta({ id: 'Passkey' })

export type Me = z.infer<typeof Me>
export const Me = z
  .strictObject({
    member: z.strictObject({ id: z.uuid(), name: z.string(), email: z.string(), role: RoleName }),
    tenant: z.strictObject({ id: z.uuid(), name: z.string() }),
    session: z.strictObject({ signed_in_at: Timestamp, expires_at: Timestamp, others: z.int().min(0) }),
    sessions: z.array(
      z.strictObject({
        signed_in_at: Timestamp,
        last_seen_at: Timestamp,
        /** How it was opened: with a passkey, at the provider, or by a link. */
        way: z.enum(['passkey', 'oidc', 'link']).optional(),
        current: z.boolean(),
      }),
    ),
    /** Sign-in links that others made for this member, newest first. */
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
    /** The service's clock, so that countdowns are right on a machine whose own is not. */
    now: Timestamp,
  })
  .meta({ id: 'Me' })

export type ChangeMe = z.infer<typeof ChangeMe>
export const ChangeMe = z.strictObject({ name: MemberName }).meta({ id: 'ChangeMe' })

export type AddPasskey = z.infer<typeof AddPasskey>
export const AddPasskey = z
  .strictObject({ name: MemberName, response: WebAuthnJson })
  .meta({ id: 'AddPasskey' })
