import type { Alterations } from './alterations.ts'
import { ageAttestation } from './documents/age-attestation.ts'
import type { CredentialCondition, UnsignedCredential } from './documents/credential.ts'
import { mdl } from './documents/mdl.ts'
import { adult, minor, senior } from './documents/people.ts'
import type { Person } from './documents/person.ts'
import { photoId } from './documents/photo-id.ts'
import { pilotAttestations } from './documents/pilots.ts'
import { pidDe } from './documents/pid-de.ts'
import { pidNl } from './documents/pid-nl.ts'
import { pid } from './documents/pid.ts'
import { findFault } from './faults/list-faults.ts'
import type { Issuer } from './issuer/create-issuer.ts'
import type { Behaviour } from './wallet/respond-to-request.ts'
import type { Wallet } from './wallet/wallet.ts'

/** The outcome of the verification: completed, failed with a code, or the HTTP status with which the response was refused. */
export type PersonaOutcome = 'completed' | PersonaFailureCode | 409 | 410

type PersonaFailureCode =
  | 'holder_declined'
  | 'requirement_not_met'
  | 'credential_expired'
  | 'credential_revoked'
  | 'issuer_untrusted'
  | 'holder_binding_invalid'

export type Persona = {
  readonly name: string
  readonly description: string
  readonly credentials: (now: Date) => UnsignedCredential[]
  readonly behaviour?: Behaviour
  readonly alterations?: Alterations
  /** The outcome on every template without an exception. A holder without a matching document declines. */
  readonly outcome: PersonaOutcome
  readonly exceptions?: Readonly<Record<string, PersonaOutcome>>
  /** The outcome on the templates of pilots, whose keys begin with `preview.`, if it is another one. */
  readonly previews?: PersonaOutcome
}

/** The simulated holders. Each leads to a different outcome. */
export const personas: readonly Persona[] = [
  {
    name: 'adult',
    description: 'an adult with every document, all valid',
    credentials: (now) => allCredentials(adult(now), now),
    outcome: 'completed',
  },
  {
    name: 'minor',
    description: 'is seventeen and has every document except a driving licence',
    credentials: (now) => allCredentials(minor(now), now).filter(({ document }) => document !== 'mdl'),
    outcome: 'completed',
    exceptions: {
      age_over: 'requirement_not_met',
      age_over_18: 'requirement_not_met',
      age_over_18_strict: 'requirement_not_met',
      age_over_18_photo: 'requirement_not_met',
      age_over_21: 'requirement_not_met',
      age_over_21_strict: 'requirement_not_met',
      driving_licence: 'holder_declined',
      'preview.us_mdl_age_21': 'holder_declined',
      'preview.us_mdl_real_id': 'holder_declined',
    },
  },
  {
    name: 'german_pid',
    description: 'has a German PID, which has age attributes but no portrait',
    credentials: (now) => pidDe(adult(now), now),
    outcome: 'completed',
    previews: 'holder_declined',
    exceptions: {
      age_over_18_photo: 'holder_declined',
      driving_licence: 'holder_declined',
    },
  },
  {
    name: 'dutch_pid',
    description: 'has a Dutch PID, which states whether its holder is 18 and has no portrait',
    credentials: (now) => pidNl(adult(now), now),
    outcome: 'completed',
    previews: 'holder_declined',
    exceptions: {
      age_over_16_strict: 'holder_declined',
      age_over_21_strict: 'holder_declined',
      age_over_18_photo: 'holder_declined',
      driving_licence: 'holder_declined',
    },
  },
  {
    name: 'senior',
    description: 'is seventy and has only a German PID',
    credentials: (now) => pidDe(senior(now), now),
    outcome: 'completed',
    previews: 'holder_declined',
    exceptions: {
      age_over_18_photo: 'holder_declined',
      driving_licence: 'holder_declined',
    },
  },
  {
    name: 'mdl_only',
    description: 'has only a driving licence',
    credentials: (now) => [mdl(adult(now), now)],
    outcome: 'completed',
    previews: 'holder_declined',
    exceptions: {
      pid_full: 'holder_declined',
      'preview.us_mdl_age_21': 'completed',
      'preview.us_mdl_real_id': 'completed',
    },
  },
  {
    name: 'age_app',
    description: "has only the proof of age of the EU's age verification app",
    credentials: (now) => [ageAttestation(adult(now), now)],
    outcome: 'holder_declined',
    exceptions: {
      age_over_16: 'completed',
      age_over_16_strict: 'completed',
      age_over: 'completed',
      age_over_18: 'completed',
      age_over_18_strict: 'completed',
      age_over_21: 'completed',
      age_over_21_strict: 'completed',
    },
  },
  {
    name: 'no_portrait',
    description: 'has a PID without age attributes and without a portrait',
    credentials: (now) => pid({ ...adult(now), portrait: new Uint8Array(0) }, now),
    outcome: 'completed',
    previews: 'holder_declined',
    exceptions: {
      age_over_16_strict: 'holder_declined',
      age_over_18_strict: 'holder_declined',
      age_over_21_strict: 'holder_declined',
      age_over_18_photo: 'requirement_not_met',
      driving_licence: 'holder_declined',
    },
  },
  {
    name: 'expired',
    description: 'has every document, all expired',
    credentials: (now) => withCondition('expired', now),
    outcome: 'credential_expired',
  },
  {
    name: 'revoked',
    description: 'has every document, all revoked',
    credentials: (now) => withCondition('revoked', now),
    outcome: 'credential_revoked',
  },
  {
    name: 'untrusted_issuer',
    description: 'has every document, all from an untrusted issuer',
    credentials: (now) => allCredentials(adult(now), now),
    ...withFault('signer_other_root'),
    outcome: 'issuer_untrusted',
  },
  {
    name: 'wrong_holder_key',
    description: "presents documents that are bound to someone else's key",
    credentials: (now) => allCredentials(adult(now), now),
    ...withFault('holder_other_key'),
    outcome: 'holder_binding_invalid',
  },
  {
    name: 'declines',
    description: 'reads the request and declines',
    credentials: (now) => allCredentials(adult(now), now),
    behaviour: 'declines',
    outcome: 'holder_declined',
  },
  {
    name: 'responds_twice',
    description: 'sends the same response twice; the second is refused',
    credentials: (now) => allCredentials(adult(now), now),
    behaviour: 'responds_twice',
    outcome: 409,
  },
  {
    name: 'responds_late',
    description: 'responds after the request has expired',
    credentials: (now) => allCredentials(adult(now), now),
    behaviour: 'responds_late',
    outcome: 410,
  },
]

export function findPersona(name: string): Persona | undefined {
  return personas.find((persona) => persona.name === name)
}

/** What a persona's response to a built-in template of the service leads to. */
export function expectedOutcome(
  { outcome, previews, exceptions }: Persona,
  template: string,
): PersonaOutcome {
  const byDefault = template.startsWith('preview.') ? (previews ?? outcome) : outcome
  return exceptions?.[template] ?? byDefault
}

/** Creates a persona's wallet, with all of its credentials or those that match `filter`. */
export function createWallet(
  { credentials, alterations = {} }: Persona,
  {
    issuer,
    now,
    filter = () => true,
  }: { issuer: Issuer; now: Date; filter?: (credential: UnsignedCredential) => boolean },
): Wallet {
  return { issuer, credentials: credentials(now).filter(filter), alterations }
}

function allCredentials(person: Person, now: Date): UnsignedCredential[] {
  return [
    ageAttestation(person, now),
    mdl(person, now),
    photoId(person, now),
    ...pid(person, now),
    ...pilotAttestations(person, now),
  ]
}

function withCondition(condition: CredentialCondition, now: Date): UnsignedCredential[] {
  return allCredentials(adult(now), now).map((credential) => ({ ...credential, condition }))
}

function withFault(fault: string): Pick<Persona, 'alterations'> {
  return { alterations: findFault(fault)?.alterations ?? {} }
}
