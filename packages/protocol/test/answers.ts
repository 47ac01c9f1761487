import type { AnyQuery } from '../src/dcql/query.ts'
import type { VerificationContext } from '../src/presentation.ts'
import { makeKey } from './certificates.ts'
import { MDL_NAME_SPACE, presentMdoc } from './mdoc.ts'
import type { Answers } from './mutate/presentation.ts'
import { digest, disclose, presentSdJwt } from './sd-jwt.ts'
import { LIST_URI, makeListJwt } from './status-list.ts'
import { makeContext, makeWorld, NAMES, type World } from './world.ts'
import { map, type Value } from './write-cbor.ts'

export type RightAnswer = Answers & { id: 'card' | 'licence' }

/** A right answer in each format to one request, with a status list, and others by which to change them. */
export function makeRightAnswers(): { context: VerificationContext; answers: RightAnswer[] } {
  const made = makeWorld()
  const { request, ...rest } = makeContext([{ certificate: made.authority.der }], {
    [LIST_URI]: makeListJwt(made.signer),
  })
  const world: World = { ...made, context: { ...rest, request: { ...request, dcql_query } } }
  const session = {
    ...world,
    context: { ...world.context, request: { ...request, nonce: 'of-another-session' } },
  }
  const holder = { ...world, holder: makeKey() }
  return {
    context: world.context,
    answers: [
      { id: 'card', presentation: presentCard(world), others: [presentCard(session), presentCard(holder)] },
      {
        id: 'licence',
        presentation: presentLicence(world),
        others: [presentLicence(session), presentLicence(holder)],
      },
    ],
  }
}

const paths = (...names: string[][]) => names.map((path) => ({ path }))

const dcql_query: AnyQuery = {
  credentials: [
    {
      id: 'card',
      format: 'dc+sd-jwt',
      meta: { vct_values: [NAMES.vct] },
      claims: paths(['given_name'], ['address'], ['nationalities']),
    },
    {
      id: 'licence',
      format: 'mso_mdoc',
      meta: { doctype_value: NAMES.mdl },
      claims: paths(
        ...['family_name', 'birth_date', 'age_over_18', 'portrait', 'driving_privileges', 'nickname'].map(
          (name) => [MDL_NAME_SPACE, name],
        ),
      ),
    },
  ],
  credential_sets: [{ options: [['card'], ['licence']] }],
}

/** With a claim within a claim, an array, and a digest that stays hidden. */
function presentCard(world: World): string {
  const locality = disclose('locality', 'Berlin')
  const address = disclose('address', { _sd: [digest(locality)], country: 'DE' })
  const first = disclose('DE')
  const name = disclose('given_name', 'Erika')
  const disclosures = [name, address, locality, first]
  const payload = {
    _sd: [digest(name), digest(address), digest('hidden')],
    nationalities: [{ '...': digest(first) }, { '...': digest('hidden, too') }],
    status: { status_list: { idx: 1, uri: LIST_URI } },
  }
  return presentSdJwt(world, { payload, disclosures })
}

function presentLicence(world: World): string {
  const elements: Record<string, Value> = {
    family_name: 'Mustermann',
    birth_date: { tag: 1004, value: '1990-01-01' },
    age_over_18: true,
    portrait: Buffer.alloc(300, 7),
    issuing_country: 'UT',
    driving_privileges: [map({ vehicle_category_code: 'A' })],
  }
  return presentMdoc(world, {
    elements,
    mso: { status: map({ status_list: map({ idx: 2, uri: LIST_URI }) }) },
    key_authorizations: { dataElements: map({ [MDL_NAME_SPACE]: ['nickname'] }) },
    device_elements: { [MDL_NAME_SPACE]: { nickname: 'Eri' } },
  })
}
