import { z } from 'zod'
import { text } from '../text.ts'
import { Count, describe, TemplateKey, Timestamp } from '../values.ts'
import { registrationFindings, type RegistrationFindingCode } from '../vocabulary/registration-findings.ts'

export const registrationEncodings = ['base64url', 'jwt'] as const
export type RegistrationEncoding = (typeof registrationEncodings)[number]
export const registrationPolicies = ['warn', 'refuse'] as const
export type RegistrationPolicy = (typeof registrationPolicies)[number]

export const maxRegistrationCertificate_characters = 24 * 1024
export const maxRegistrationDataset_characters = 16 * 1024

export const exampleRegistrationId = 'c2f5b3a8-61d4-4e0f-8b7a-9d3e5f102846'
const exampleName = 'Wine shop'
const exampleIdentifier = 'NTRDE-HRB123456'
const exampleUse = 'age-check'
const exampleEnd = '2027-05-15T00:00:00.000000Z'

/** The id of a registration in a path. */
export const RegistrationId = describe(z.uuid(), 'The id of the registration.', exampleRegistrationId)

/** One thing that the check of a registration found. The page provides the text; `detail` adds what only this case knows. */
export type RegistrationFinding = z.infer<typeof RegistrationFinding>
export const RegistrationFinding = z
  .strictObject({
    code: describe(
      z.enum(
        // The keys of an object literal.
        Object.keys(registrationFindings) as [RegistrationFindingCode, ...RegistrationFindingCode[]],
      ),
      'What was found. Codes are stable.',
      'issuer_unknown',
    ),
    status: describe(
      z.enum(['pass', 'warning', 'fail']),
      '`fail`: it is not accepted, or wallets will not accept it any more. `warning`: it is used, but wallets may warn their holders.',
      'warning',
    ),
    detail: describe(
      z.string(),
      'What only this case knows, for people.',
      'CN=Example Registrar, C=DE',
    ).optional(),
  })
  .meta({ id: 'RegistrationFinding' })

const LocalText = z
  .strictObject({
    lang: describe(z.string(), 'The language.', 'en'),
    value: describe(z.string(), 'The text in that language.', 'To sell wine to adults'),
  })
  .meta({ id: 'LocalText' })

const RegisteredCredential = z
  .strictObject({
    format: describe(z.string(), 'The credential format.', 'dc+sd-jwt'),
    types: describe(z.array(z.string()), 'The `vct` values or the doctype. Empty: any type.', [
      'urn:eudi:pid:1',
    ]),
    claims: describe(
      z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
      'The paths of the registered claims. Absent: all of its claims.',
      [['age_equal_or_over', '18']],
    ).optional(),
  })
  .meta({ id: 'RegisteredCredential' })

/** What a registration certificate says. */
export type RegisteredUse = z.infer<typeof RegisteredUse>
export const RegisteredUse = z
  .strictObject({
    identifier: describe(z.string(), 'The registered identifier of the relying party.', exampleIdentifier),
    name: describe(z.string(), 'Its trade name, or else its legal name.', 'Harbour Wines').optional(),
    legal_name: describe(z.string(), 'Its legal name.', 'Harbour Wines GmbH').optional(),
    country: describe(z.string(), 'Its country, as two letters.', 'DE').optional(),
    intermediary: describe(
      z.strictObject({
        identifier: describe(z.string(), 'Its registered identifier.', 'NTRDE-HRB654321'),
        name: describe(z.string(), 'Its name.', 'Example Verifiers GmbH').optional(),
      }),
      'Through whom the relying party asks, if the certificate names an intermediary.',
    ).optional(),
    intended_use: describe(z.string(), 'The id of the intended use.', exampleUse).optional(),
    purpose: describe(z.array(LocalText), 'The purpose of the intended use.'),
    service: describe(z.array(LocalText), 'What the relying party offers.', [
      { lang: 'en', value: 'A wine shop' },
    ]),
    entitlements: describe(z.array(z.string()), 'What the relying party is entitled to.', [
      'https://uri.etsi.org/19475/Entitlement/Service_Provider',
    ]),
    credentials: describe(z.array(RegisteredCredential), 'What may be asked for.'),
    registry_uri: describe(
      z.string(),
      'The register that it is in.',
      'https://registrar.example/register',
    ).optional(),
    privacy_policy: describe(
      z.string(),
      'The privacy policy.',
      'https://shop.example.com/privacy',
    ).optional(),
    info_uri: describe(
      z.string(),
      'Where the relying party describes itself.',
      'https://shop.example.com',
    ).optional(),
    issued_at: describe(
      Timestamp,
      'When the certificate was issued.',
      '2026-11-15T00:00:00.000000Z',
    ).optional(),
    expires_at: describe(Timestamp, 'When the certificate expires.', exampleEnd).optional(),
  })
  .meta({ id: 'RegisteredUse' })

/** A registration in a list. */
export type Registration = z.infer<typeof Registration>
export const Registration = z
  .strictObject({
    id: RegistrationId,
    name: describe(z.string(), 'What you call it.', exampleName),
    default: describe(
      z.boolean(),
      'Whether it is asked under wherever no other is named. At most one registration is the default.',
      true,
    ),
    state: describe(z.enum(['ok', 'warning', 'fail']), 'The worst that its last check found.', 'warning'),
    identifier: describe(
      z.string(),
      'The registered identifier of the relying party.',
      exampleIdentifier,
    ).optional(),
    intended_use: describe(z.string(), 'The id of the intended use.', exampleUse).optional(),
    expires_at: describe(Timestamp, 'When the certificate expires.', exampleEnd).optional(),
    templates: describe(z.array(TemplateKey), 'The keys of the templates that name it.', ['hotel_check_in']),
    created_at: describe(Timestamp, 'When it was added.', '2026-11-15T09:00:00.123456Z'),
    checked_at: describe(Timestamp, 'When it was last checked.', '2026-11-15T12:00:00.123456Z').optional(),
  })
  .meta({ id: 'Registration' })

export type RegistrationSettings = z.infer<typeof RegistrationSettings>
export const RegistrationSettings = z
  .strictObject({
    encoding: describe(
      z.enum(registrationEncodings),
      'How requests carry the certificate: base64url of the compact JWT (ETSI TS 119 472-2), or the compact JWT itself.',
      'base64url',
    ),
    policy: describe(
      z.enum(registrationPolicies),
      'What happens when a query asks for more than its registration covers: the creation warns, or is refused.',
      'warn',
    ),
  })
  .meta({ id: 'RegistrationSettings' })

export type RegistrationList = z.infer<typeof RegistrationList>
export const RegistrationList = z
  .strictObject({
    data: describe(z.array(Registration), 'The default first.'),
    settings: describe(RegistrationSettings, 'How registrations are used.'),
    limit: describe(Count, 'How many registrations you can have.', 20),
  })
  .meta({ id: 'RegistrationList' })

export type RegistrationDetail = z.infer<typeof RegistrationDetail>
export const RegistrationDetail = z
  .strictObject({
    ...Registration.shape,
    use: describe(RegisteredUse, 'What the certificate says.'),
    findings: describe(z.array(RegistrationFinding), 'What the last check found.'),
    fingerprint: describe(
      z.string(),
      'SHA-256 of the certificate, in hexadecimal.',
      '9b1c7d2e5f804a36c1d9e8b7f60a52341c7d8e9fa0b3c4d5e6f7081929a3b4c5',
    ),
    verifier_info: describe(
      z.string(),
      'The `verifier_info` of requests, as JSON text.',
      '[{"format":"registration_cert","data":"ZXlKMGVY…"}]',
    ),
    has_dataset: describe(z.boolean(), 'Whether the data set of the registrar was given.', false),
  })
  .meta({ id: 'RegistrationDetail' })

const Certificate = describe(
  z.string().min(1).max(maxRegistrationCertificate_characters),
  'The registration certificate: the compact JWT, or base64url of it.',
  'eyJ0eXAiOiJyYy13cnArand0Iiwi…',
)
const Dataset = describe(
  z.string().max(maxRegistrationDataset_characters),
  'The data set of the registrar, as JSON text.',
  '{"identifier":[…]}',
).optional()

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
    name: describe(
      text({ min: 1, max: 64 }),
      'What to call it. Absent: the purpose or the intended use in the certificate.',
      exampleName,
    ).optional(),
    default: describe(
      z.boolean(),
      'Whether to make it the default. Your first registration is the default in any case.',
      true,
    ).optional(),
  })
  .meta({
    id: 'AddRegistration',
    examples: [{ certificate: 'eyJ0eXAiOiJyYy13cnArand0Iiwi…', name: exampleName }],
  })

export type ChangeRegistration = z.infer<typeof ChangeRegistration>
export const ChangeRegistration = z
  .strictObject({
    name: describe(text({ min: 1, max: 64 }), 'What to call it.', exampleName).optional(),
    default: describe(
      z.boolean(),
      'True makes it the default instead of the current one; false leaves you without a default.',
      true,
    ).optional(),
  })
  .meta({ id: 'ChangeRegistration' })

export type ChangeRegistrationSettings = z.infer<typeof ChangeRegistrationSettings>
export const ChangeRegistrationSettings = RegistrationSettings.partial().meta({
  id: 'ChangeRegistrationSettings',
})

export type AssignRegistration = z.infer<typeof AssignRegistration>
export const AssignRegistration = z
  .strictObject({
    registration_id: describe(
      z.uuid().nullable(),
      'The registration. `null`: the template names none, and is asked under the default.',
      exampleRegistrationId,
    ),
  })
  .meta({ id: 'AssignRegistration' })

/** The registration that a template is asked under. */
export type TemplateRegistration = z.infer<typeof TemplateRegistration>
export const TemplateRegistration = z
  .strictObject({
    id: RegistrationId,
    name: describe(z.string(), 'What you call it.', exampleName),
    assigned: describe(z.boolean(), 'Whether the template names it. Otherwise it is the default.', true),
  })
  .meta({ id: 'TemplateRegistration' })
