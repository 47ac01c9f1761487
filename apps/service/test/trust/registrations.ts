import { createRegistrar, issueRegistration, type Registrar, type RegistrationDraft } from '@vidimus/sandbox'

/** A registrar that nobody trusts unless a test says so. */
const registrar = createRegistrar({ now: new Date() })

const draft: RegistrationDraft = {
  name: 'Corner Shop',
  legal_name: 'Corner Shop Ltd',
  identifier: 'NTRUT-1234',
  intended_use_id: 'age-check',
  credentials: [
    {
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [['family_name'], ['birthdate']],
    },
  ],
}

type IssueOptions = Partial<Parameters<typeof issueRegistration>[2]> & { by?: Registrar }

/** A registration certificate. By default it refers to no status list, so that nothing is fetched. */
export function newRegistration(
  changes: Partial<RegistrationDraft> = {},
  { by = registrar, fault = 'no_status', ...options }: IssueOptions = {},
): string {
  return issueRegistration(by, { ...draft, ...changes }, { now: new Date(), fault, ...options })
}

/** A registration certificate with nothing to complain about but, perhaps, its issuer. */
export function newValidRegistration(
  changes: Partial<RegistrationDraft> = {},
  { by = registrar, ...options }: IssueOptions = {},
): string {
  return issueRegistration(by, { ...draft, ...changes }, { now: new Date(), ...options })
}
