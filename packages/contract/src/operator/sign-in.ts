import { z } from 'zod'
import {
  Confirmation,
  FinishPasskeySignIn,
  OidcCallback,
  Passkey,
  PasskeyOptions,
  RedirectLocation,
} from '../dashboard/sign-in.ts'
import { Email, MemberName } from '../dashboard/values.ts'
import { text } from '../text.ts'
import { describe, Timestamp } from '../values.ts'
import { operatorRoles } from './roles.ts'

export { Confirmation, FinishPasskeySignIn, OidcCallback, PasskeyOptions, RedirectLocation }

const OperatorRoleName = z.enum(operatorRoles)

/** Why an operator does it, for the installation's log. */
export const Reason = text({ min: 1, max: 500 })

export const ReasonOnly = z.strictObject({ reason: Reason.optional() }).meta({ id: 'ReasonOnly' })

export type OperatorSignInMethods = z.infer<typeof OperatorSignInMethods>
export const OperatorSignInMethods = z
  .strictObject({
    oidc: z.boolean(),
    /** The host of the identity provider, for the button. */
    oidc_host: z.string().optional(),
  })
  .meta({ id: 'OperatorSignInMethods' })

export const StartOperatorOidc = z
  .strictObject({
    /** The page of the console to open afterwards. */
    return_to: text({ max: 512 })
      .refine((value) => /^\/console(?:\/[^/\\]|\/?$|\?)/.test(value), 'must be a page of the console')
      .optional(),
  })
  .meta({ id: 'StartOperatorOidc' })

const InvitationToken = text({ min: 20, max: 100 })

export const ReadOperatorInvitation = z
  .strictObject({ token: InvitationToken })
  .meta({ id: 'ReadOperatorInvitation' })

export type OperatorInvitation = z.infer<typeof OperatorInvitation>
export const OperatorInvitation = z
  .strictObject({
    name: z.string(),
    email: z.string(),
    role: OperatorRoleName,
    expires_at: Timestamp,
  })
  .meta({ id: 'OperatorInvitation' })

export type AcceptOperatorInvitation = z.infer<typeof AcceptOperatorInvitation>
export const AcceptOperatorInvitation = z
  .strictObject({
    token: InvitationToken,
    passkey_name: MemberName.optional(),
    response: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'AcceptOperatorInvitation' })

export type OperatorMe = z.infer<typeof OperatorMe>
export const OperatorMe = z
  .strictObject({
    operator: z.strictObject({ id: z.uuid(), name: z.string(), email: z.string(), role: OperatorRoleName }),
    /** Absent for a token. */
    session: z
      .strictObject({
        signed_in_at: Timestamp,
        expires_at: Timestamp,
        /** How the operator signed in. Absent for a session of an earlier release. */
        method: z.enum(['passkey', 'oidc']).optional(),
        /** Until when what is lasting needs no further confirmation. Absent if it needs one now. */
        confirmed_until: Timestamp.optional(),
        /** Other browsers in which this operator is signed in. */
        others: z.int().min(0),
      })
      .optional(),
    passkeys: z.array(Passkey),
    /** Whether they can sign in at the identity provider. */
    oidc_linked: z.boolean(),
    /** The service's time, so that countdowns are right even if the local clock is not. */
    now: Timestamp,
    /** Of the program that serves the console. */
    version: z.string(),
  })
  .meta({ id: 'OperatorMe' })

export type OperatorAccount = z.infer<typeof OperatorAccount>
export const OperatorAccount = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    email: z.string(),
    role: OperatorRoleName,
    created_at: Timestamp,
    /** Absent until they accepted an invitation. */
    joined_at: Timestamp.optional(),
    last_seen_at: Timestamp.optional(),
    passkeys: z.int().min(0),
    oidc_linked: z.boolean(),
    /** Until when their open invitation works. */
    invited_until: Timestamp.optional(),
    /** Removed operators stay in the list, because the log names them. */
    removed_at: Timestamp.optional(),
    you: z.boolean(),
  })
  .meta({ id: 'OperatorAccount' })

export type OperatorList = z.infer<typeof OperatorList>
export const OperatorList = z.strictObject({ data: z.array(OperatorAccount) }).meta({ id: 'OperatorList' })

export type AddOperator = z.infer<typeof AddOperator>
export const AddOperator = z
  .strictObject({ name: MemberName, email: Email, role: OperatorRoleName, reason: Reason.optional() })
  .meta({ id: 'AddOperator' })

export type NewOperatorInvitation = z.infer<typeof NewOperatorInvitation>
export const NewOperatorInvitation = z
  .strictObject({
    operator: OperatorAccount,
    link: z.string().meta({ description: 'Works once, for 24 hours. Shown only once.' }),
  })
  .meta({ id: 'NewOperatorInvitation' })

export const ChangeOperatorRole = z
  .strictObject({ role: OperatorRoleName, reason: Reason.optional() })
  .meta({ id: 'ChangeOperatorRole' })

export type OperatorToken = z.infer<typeof OperatorToken>
export const OperatorToken = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    /** The first characters, to recognise it by. */
    prefix: z.string(),
    role: OperatorRoleName,
    /** Who made it. It does no more than they may, and ends with them. */
    operator: z.strictObject({ id: z.uuid(), name: z.string() }),
    created_at: Timestamp,
    expires_at: Timestamp,
    last_used_at: Timestamp.optional(),
    state: z.enum(['active', 'expired', 'revoked']),
  })
  .meta({ id: 'OperatorToken' })

export type OperatorTokenList = z.infer<typeof OperatorTokenList>
export const OperatorTokenList = z
  .strictObject({ data: z.array(OperatorToken) })
  .meta({ id: 'OperatorTokenList' })

export const maxTokenLifetime_days = 90

export type CreateOperatorToken = z.infer<typeof CreateOperatorToken>
export const CreateOperatorToken = z
  .strictObject({
    name: MemberName,
    role: OperatorRoleName,
    expires_in_days: describe(z.int().min(1).max(maxTokenLifetime_days), 'In how many days it ends.', 30),
    reason: Reason.optional(),
  })
  .meta({ id: 'CreateOperatorToken' })

export type CreatedOperatorToken = z.infer<typeof CreatedOperatorToken>
export const CreatedOperatorToken = z
  .strictObject({
    ...OperatorToken.shape,
    token: z.string().meta({ description: 'Shown only once.' }),
  })
  .meta({ id: 'CreatedOperatorToken' })
