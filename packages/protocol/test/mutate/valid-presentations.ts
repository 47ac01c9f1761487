import type { AnyQuery } from '../../src/dcql/query.ts'
import type { ResponseBinding, VerificationContext } from '../../src/presentation.ts'
import { cborMap, type CborValue } from '../cbor.ts'
import { makeKey } from '../certificates.ts'
import {
  makeContext,
  makeFixture,
  redirectBinding,
  typeNames,
  withBinding,
  type CredentialFixture,
} from '../fixture.ts'
import { mdlNameSpace, presentMdoc } from '../mdoc.ts'
import { digest, disclose, presentSdJwt } from '../sd-jwt.ts'
import { listUri, makeListJwt } from '../status-list.ts'
import type { PresentationSamples } from './presentation.ts'

export type ValidPresentation = PresentationSamples & { id: 'card' | 'licence' }

export type ValidPresentations = {
  context: VerificationContext
  presentations: ValidPresentation[]
  /** The same presentation for another binding. */
  presentFor: (id: ValidPresentation['id'], binding: ResponseBinding) => string
}

/** A valid presentation in each format for one request, with a status list, and other presentations to splice in. */
export function makeValidPresentations(binding: ResponseBinding = redirectBinding): ValidPresentations {
  const baseFixture = makeFixture()
  const { request, ...rest } = makeContext([{ certificate: baseFixture.authority.der }], {
    [listUri]: makeListJwt(baseFixture.signer),
  })
  const fixture: CredentialFixture = {
    ...baseFixture,
    context: { ...rest, request: { ...request, binding, dcql_query } },
  }
  const otherVerification = withBinding(
    fixture,
    binding.channel === 'annex_c'
      ? { ...binding, encryption_info: 'other-session' }
      : binding.channel === 'proximity'
        ? { ...binding, transcript: Buffer.of(0x80) }
        : { ...binding, nonce: 'other-session' },
  )
  const otherHolder = { ...fixture, holder: makeKey() }
  return {
    context: fixture.context,
    presentFor: (id, other) => (id === 'card' ? presentCard : presentLicence)(withBinding(fixture, other)),
    presentations: [
      {
        id: 'card',
        presentation: presentCard(fixture),
        others: [presentCard(otherVerification), presentCard(otherHolder)],
      },
      {
        id: 'licence',
        presentation: presentLicence(fixture),
        others: [presentLicence(otherVerification), presentLicence(otherHolder)],
      },
    ],
  }
}

const paths = (...names: string[][]) => names.map((path) => ({ path }))

/** Also for the verifications of other channels. */
export const dcql_query: AnyQuery = {
  credentials: [
    {
      id: 'card',
      format: 'dc+sd-jwt',
      meta: { vct_values: [typeNames.vct] },
      claims: paths(['given_name'], ['address'], ['nationalities']),
    },
    {
      id: 'licence',
      format: 'mso_mdoc',
      meta: { doctype_value: typeNames.mdl },
      claims: paths(
        ...['family_name', 'birth_date', 'age_over_18', 'portrait', 'driving_privileges', 'nickname'].map(
          (name) => [mdlNameSpace, name],
        ),
      ),
    },
  ],
  credential_sets: [{ options: [['card'], ['licence']] }],
}

/** With a nested claim, an array, and digests that stay undisclosed. */
function presentCard(fixture: CredentialFixture): string {
  const locality = disclose('locality', 'Berlin')
  const address = disclose('address', { _sd: [digest(locality)], country: 'DE' })
  const first = disclose('DE')
  const name = disclose('given_name', 'Erika')
  const disclosures = [name, address, locality, first]
  const payload = {
    _sd: [digest(name), digest(address), digest('hidden')],
    nationalities: [{ '...': digest(first) }, { '...': digest('hidden, too') }],
    status: { status_list: { idx: 1, uri: listUri } },
  }
  return presentSdJwt(fixture, { payload, disclosures })
}

function presentLicence(fixture: CredentialFixture): string {
  const elements: Record<string, CborValue> = {
    family_name: 'Mustermann',
    birth_date: { tag: 1004, value: '1990-01-01' },
    age_over_18: true,
    portrait: Buffer.alloc(300, 7),
    issuing_country: 'UT',
    driving_privileges: [cborMap({ vehicle_category_code: 'A' })],
  }
  return presentMdoc(fixture, {
    elements,
    mso: { status: cborMap({ status_list: cborMap({ idx: 2, uri: listUri }) }) },
    key_authorizations: { dataElements: cborMap({ [mdlNameSpace]: ['nickname'] }) },
    device_elements: { [mdlNameSpace]: { nickname: 'Eri' } },
  })
}
