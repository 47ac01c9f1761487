import { redirectBinding } from './fixture.ts'
import { makePresentedCredential } from './presented-credential.ts'
import type { AnyQuery } from '../src/dcql/query.ts'
import type { Finding, PresentedCredential, VerifierRequest } from '../src/presentation.ts'
import type { TemplateRules } from '../src/template/template.ts'
import { decideOutcome } from '../src/outcome/decide.ts'

export const mdl = (members: Partial<PresentedCredential> = {}) =>
  makePresentedCredential({ format: 'mso_mdoc', doctype_or_vct: 'org.iso.18013.5.1.mDL', ...members })

export const query: AnyQuery = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['given_name'] }],
    },
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }, { path: ['org.iso.18013.5.1', 'age_over_18'] }],
    },
  ],
  credential_sets: [{ options: [['pid'], ['mdl'], ['pid', 'mdl']] }],
}
export const erika = makePresentedCredential({ claims: { given_name: 'Erika' } })
export const licence = mdl({ claims: { 'org.iso.18013.5.1': { given_name: 'Erika', age_over_18: true } } })

type DecideOptions = {
  dcql_query?: AnyQuery
  template?: TemplateRules
  /** The result of the format's verifier for each presentation. */
  presented?: Record<string, PresentedCredential>
  status?: Finding[]
}

/** Decides with verifiers that return the given results. */
export async function decide(
  vp_token: unknown,
  { dcql_query = query, template = {}, presented = {}, status = [] }: DecideOptions = {},
) {
  const request: VerifierRequest = {
    binding: redirectBinding,
    created_at: 1_800_000_000,
    dcql_query,
    template,
  }
  const lookedUp: string[] = []
  const outcome = await decideOutcome(
    request,
    vp_token,
    {
      verify: (presentation) =>
        presented[presentation] ??
        makePresentedCredential({ findings: [{ check: 'credential_encoding', status: 'fail' }] }),
      checkStatus: async ({ status_list }) => {
        lookedUp.push(status_list?.uri ?? 'none')
        return status
      },
    },
    1_800_000_100,
  )
  return { ...outcome, lookedUp }
}

export const decideFor = (presented: Record<string, PresentedCredential>, options: DecideOptions = {}) =>
  decide(Object.fromEntries(Object.keys(presented).map((id) => [id, [id]])), { ...options, presented })
