import { verifySdJwt, type VerificationContext } from '@vidimus/protocol'
import { generateSigningKey, type Issuer } from '@vidimus/sandbox'
import fc from 'fast-check'
import { issuerOf, readerOf } from './sd-jwt-library.ts'

/** What one side made of a presentation. */
export type Comparison = { presentation: string; library: unknown; verifier: unknown; findings: string[] }

type Value = null | boolean | number | string | Value[] | { [name: string]: Value }

const scalar = fc.oneof(fc.string({ maxLength: 8 }), fc.integer(), fc.boolean(), fc.constant(null))
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))
const claims = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value, {
  maxKeys: 5,
  noNullPrototype: true,
})

/** Claims of any shape, concealed and disclosed at random by `@sd-jwt/sd-jwt-vc`, restored by it and by the verifier. */
export async function compareSdJwt(issuer: Issuer, n: number, seed: number): Promise<Comparison[]> {
  const holderKey = generateSigningKey()
  const coins = fc.sample(fc.infiniteStream(fc.boolean()), { numRuns: 1, seed })[0]
  const coin = () => coins?.next().value === true
  const compared: Comparison[] = []
  for (const drawn of fc.sample(claims, { numRuns: n, seed })) {
    const issued = await issuerOf(issuer).issue(
      { ...drawn, vct: 'urn:eudi:pid:1', cnf: { jwk: holderKey.public_key.export({ format: 'jwk' }) } },
      conceal(drawn, coin),
    )
    const presentation = await readerOf().present(issued, disclose(drawn, coin))
    const { claims: restored, findings } = verifySdJwt(presentation, context)
    compared.push({
      presentation,
      library: await readerOf().getClaims(presentation),
      verifier: restored,
      findings: findings.map(({ check }) => check),
    })
  }
  return compared
}

/** A frame that conceals members and elements at random, at every depth. */
function conceal(holder: Value, coin: () => boolean): Record<string, unknown> {
  const members = entriesOf(holder)
  const inner = members
    .filter(([, child]) => entriesOf(child).length > 0)
    .map(([name, child]) => [name, conceal(child, coin)])
  const concealed = members.map(([name]) => (Array.isArray(holder) ? Number(name) : name)).filter(coin)
  return { ...Object.fromEntries(inner), ...(concealed.length > 0 && { _sd: concealed }) }
}

function disclose(holder: Value, coin: () => boolean): Record<string, boolean | object> {
  return Object.fromEntries(
    entriesOf(holder)
      .filter(coin)
      .map(([name, child]) => [name, entriesOf(child).length > 0 && coin() ? disclose(child, coin) : true]),
  )
}

function entriesOf(holder: Value): [string, Value][] {
  return typeof holder === 'object' && holder !== null ? Object.entries(holder) : []
}

/** Only what was restored is compared: whom the documents are bound to and who issued them is another matter. */
const context: VerificationContext = {
  request: {
    client_id: '',
    nonce: '',
    state: '',
    response_uri: '',
    created_at: 0,
    dcql_query: { credentials: [] },
    encryption_key_thumbprint: '',
  },
  trust: { anchors: [], lookUpStatus: async () => undefined, status_unavailable: 'fail' },
  now: Math.floor(Date.now() / 1000),
}
