import { verifySdJwt, type VerificationContext } from '@vidimus/protocol'
import { generateSigningKey, type Issuer } from '@vidimus/sandbox'
import fc from 'fast-check'
import { createSdJwtIssuer, createSdJwtReader } from './sd-jwt-js.ts'

/** The claims that the library and the verifier reconstruct from one presentation. */
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

/** Issues and discloses random claims with `@sd-jwt/sd-jwt-vc`, and reconstructs them with the library and with the verifier. */
export async function compareSdJwt(issuer: Issuer, n: number, seed: number): Promise<Comparison[]> {
  const holderKey = generateSigningKey()
  const coinStream = fc.sample(fc.infiniteStream(fc.boolean()), { numRuns: 1, seed })[0]
  const flipCoin = () => coinStream?.next().value === true
  const comparisons: Comparison[] = []
  for (const drawnClaims of fc.sample(claims, { numRuns: n, seed })) {
    const issued = await createSdJwtIssuer(issuer).issue(
      { ...drawnClaims, vct: 'urn:eudi:pid:1', cnf: { jwk: holderKey.public_key.export({ format: 'jwk' }) } },
      drawDisclosureFrame(drawnClaims, flipCoin),
    )
    const presentation = await createSdJwtReader().present(
      issued,
      drawPresentationFrame(drawnClaims, flipCoin),
    )
    const { claims: restored, findings } = verifySdJwt(presentation, context)
    comparisons.push({
      presentation,
      library: await createSdJwtReader().getClaims(presentation),
      verifier: restored,
      findings: findings.map(({ check }) => check),
    })
  }
  return comparisons
}

/** A disclosure frame that makes random members and elements disclosable, at every depth. */
function drawDisclosureFrame(container: Value, flipCoin: () => boolean): Record<string, unknown> {
  const members = listEntries(container)
  const inner = members
    .filter(([, child]) => listEntries(child).length > 0)
    .map(([name, child]) => [name, drawDisclosureFrame(child, flipCoin)])
  const disclosable = members
    .map(([name]) => (Array.isArray(container) ? Number(name) : name))
    .filter(flipCoin)
  return { ...Object.fromEntries(inner), ...(disclosable.length > 0 && { _sd: disclosable }) }
}

function drawPresentationFrame(container: Value, flipCoin: () => boolean): Record<string, boolean | object> {
  return Object.fromEntries(
    listEntries(container)
      .filter(flipCoin)
      .map(([name, child]) => [
        name,
        listEntries(child).length > 0 && flipCoin() ? drawPresentationFrame(child, flipCoin) : true,
      ]),
  )
}

function listEntries(container: Value): [string, Value][] {
  return typeof container === 'object' && container !== null ? Object.entries(container) : []
}

/** Only the reconstructed claims are compared; holder binding and issuer trust are not. */
const context: VerificationContext = {
  request: {
    binding: { channel: 'redirect', client_id: '', nonce: '', response_uri: '' },
    created_at: 0,
    dcql_query: { credentials: [] },
  },
  trust: { anchors: [], lookUpStatus: async () => undefined, status_unavailable: 'fail' },
  now: Math.floor(Date.now() / 1000),
}
