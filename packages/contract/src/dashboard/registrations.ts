import { z } from 'zod'
import { text } from '../text.ts'
import { Count, TemplateKey, Timestamp } from '../values.ts'
import { registrationFindings, type RegistrationFindingCode } from '../vocabulary/registration-findings.ts'

/** How a request carries the registration certificate: base64url of the compact JWT (ETSI TS 119 472-2), or the compact JWT itself. */
export const registrationEncodings = ['base64url', 'jwt'] as const
export type RegistrationEncoding = (typeof registrationEncodings)[number]
/** What happens when a query asks for more than its registration covers: the creation warns, or is refused. */
export const registrationPolicies = ['warn', 'refuse'] as const
export type RegistrationPolicy = (typeof registrationPolicies)[number]

export const maxRegistrationCertificate_characters = 24 * 1024
export const maxRegistrationDataset_characters = 16 * 1024

/** One thing that the check of a registration found. The page provides the text; `detail` adds what only this case knows. */
export type RegistrationFinding = z.infer<typeof RegistrationFinding>
export const RegistrationFinding = z
  .strictObject({
    code: z.enum(
      // The keys of an object literal.
      Object.keys(registrationFindings) as [RegistrationFindingCode, ...RegistrationFindingCode[]],
    ),
    status: z.enum(['pass', 'warning', 'fail']),
    detail: z.string().optional(),
  })
  .meta({ id: 'RegistrationFinding' })

const LocalText = z.strictObject({ lang: z.string(), value: z.string() })

/** A kind of credential that is registered, with the paths of its claims. Without `claims`, all of its claims are registered. */
const RegisteredCredential = z.strictObject({
  format: z.string(),
  /** The `vct` values or the doctype. Empty: any type. */
  types: z.array(z.string()),
  claims: z.array(z.array(z.union([z.string(), z.number(), z.null()]))).optional(),
})

/** What a registration certificate says. */
export type RegisteredUse = z.infer<typeof RegisteredUse>
export const RegisteredUse = z
  .strictObject({
    /** The registered identifier of the relying party, such as `NTRDE-HRB123456`. */
    identifier: z.string(),
    /** Its trade name, or else its legal name. */
    name: z.string().optional(),
    legal_name: z.string().optional(),
    country: z.string().optional(),
    /** Through whom the relying party asks, if the certificate names an intermediary. */
    intermediary: z.strictObject({ identifier: z.string(), name: z.string().optional() }).optional(),
    intended_use: z.string().optional(),
    purpose: z.array(LocalText),
    service: z.array(LocalText),
    entitlements: z.array(z.string()),
    credentials: z.array(RegisteredCredential),
    registry_uri: z.string().optional(),
    privacy_policy: z.string().optional(),
    info_uri: z.string().optional(),
    issued_at: Timestamp.optional(),
    expires_at: Timestamp.optional(),
  })
  .meta({ id: 'RegisteredUse' })

/** A registration in a list. */
export type Registration = z.infer<typeof Registration>
export const Registration = z
  .strictObject({
    id: z.uuid(),
    /** What the tenant calls it. */
    name: z.string(),
    /** Asked under wherever no other is named. At most one registration is the default. */
    default: z.boolean(),
    /** The worst that its last check found. */
    state: z.enum(['ok', 'warning', 'fail']),
    identifier: z.string().optional(),
    intended_use: z.string().optional(),
    expires_at: Timestamp.optional(),
    /** The keys of the templates that name this registration. */
    templates: z.array(TemplateKey),
    created_at: Timestamp,
    checked_at: Timestamp.optional(),
  })
  .meta({ id: 'Registration' })

export type RegistrationSettings = z.infer<typeof RegistrationSettings>
export const RegistrationSettings = z
  .strictObject({ encoding: z.enum(registrationEncodings), policy: z.enum(registrationPolicies) })
  .meta({ id: 'RegistrationSettings' })

export type RegistrationList = z.infer<typeof RegistrationList>
export const RegistrationList = z
  .strictObject({
    data: z.array(Registration),
    settings: RegistrationSettings,
    /** How many registrations a tenant can have. */
    limit: Count,
  })
  .meta({ id: 'RegistrationList' })

export type RegistrationDetail = z.infer<typeof RegistrationDetail>
export const RegistrationDetail = z
  .strictObject({
    ...Registration.shape,
    use: RegisteredUse,
    findings: z.array(RegistrationFinding),
    fingerprint: z.string().meta({ description: 'SHA-256 of the certificate, in hexadecimal.' }),
    /** The `verifier_info` of requests, as JSON text. */
    verifier_info: z.string(),
    has_dataset: z.boolean(),
  })
  .meta({ id: 'RegistrationDetail' })

const Certificate = z
  .string()
  .min(1)
  .max(maxRegistrationCertificate_characters)
  .meta({ description: 'The registration certificate: the compact JWT, or base64url of it.' })
const Dataset = z
  .string()
  .max(maxRegistrationDataset_characters)
  .optional()
  .meta({ description: "The registrar's data set, as JSON text." })

export type RegistrationInput = z.infer<typeof RegistrationInput>
export const RegistrationInput = z
  .strictObject({ certificate: Certificate, dataset: Dataset })
  .meta({ id: 'RegistrationInput' })

/** What the check found, before anything is stored. `use` is absent if the certificate could not be read. */
export type RegistrationPreview = z.infer<typeof RegistrationPreview>
export const RegistrationPreview = z
  .strictObject({
    /** False if a finding fails: it would be refused. */
    accepted: z.boolean(),
    findings: z.array(RegistrationFinding),
    use: RegisteredUse.optional(),
  })
  .meta({ id: 'RegistrationPreview' })

export type AddRegistration = z.infer<typeof AddRegistration>
export const AddRegistration = z
  .strictObject({
    ...RegistrationInput.shape,
    /** Absent: the purpose or the intended use in the certificate. */
    name: text({ min: 1, max: 64 }).optional(),
    /** The first registration of a tenant is the default in any case. */
    default: z.boolean().optional(),
  })
  .meta({ id: 'AddRegistration' })

export type ChangeRegistration = z.infer<typeof ChangeRegistration>
export const ChangeRegistration = z
  .strictObject({
    name: text({ min: 1, max: 64 }).optional(),
    /** True makes it the default instead of the current one; false leaves the tenant without a default. */
    default: z.boolean().optional(),
  })
  .meta({ id: 'ChangeRegistration' })

export type ChangeRegistrationSettings = z.infer<typeof ChangeRegistrationSettings>
export const ChangeRegistrationSettings = RegistrationSettings.partial().meta({
  id: 'ChangeRegistrationSettings',
})

/** `null`: the template names none, and is asked under the default. */
export type AssignRegistration = z.infer<typeof AssignRegistration>
export const AssignRegistration = z
  .strictObject({ registration_id: z.uuid().nullable() })
  .meta({ id: 'AssignRegistration' })

/** The registration that a template is asked under. `assigned`: the template names it; otherwise it is the default. */
export type TemplateRegistration = z.infer<typeof TemplateRegistration>
export const TemplateRegistration = z
  .strictObject({ id: z.uuid(), name: z.string(), assigned: z.boolean() })
  .meta({ id: 'TemplateRegistration' })
