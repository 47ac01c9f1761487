import { builtInTemplateNames, type BuiltInTemplateName } from '@vidimus/contract'
import {
  buildResponse,
  createIssuer,
  expectedOutcome,
  findPersona,
  personas,
  type DcqlQuery,
  type UnsignedCredential,
  type Persona,
  type Wallet,
} from '@vidimus/sandbox'
import { openProtocolVerification, type Verdict } from '@vidimus/sandbox/testing'
import { describe, expect, test } from 'vitest'
import { readBoundTemplates } from '../../../test/bound-templates.ts'

const now = new Date()
const issuer = createIssuer({ now })
const templates = readBoundTemplates()
/** The others never get as far as a verification: they decline, or their second or late response is refused. */
const responding = personas.filter(({ behaviour }) => behaviour === undefined)

describe.each(responding)('$name, who $description', (persona) => {
  test.each(builtInTemplateNames)('%s', async (name) => {
    expect(describeEnd(await present(name, walletOf(persona)))).toBe(expectedOutcome(persona, name))
  })
})

const identity = {
  given_name: 'Erika',
  family_name: 'Mustermann',
  birth_date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
}
const portrait = expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//)

type Source = `${UnsignedCredential['document']} ${UnsignedCredential['format']}`

const mobile: Source[] = ['mdl mso_mdoc', 'photo_id mso_mdoc']
const base: Source[] = ['pid dc+sd-jwt', 'pid mso_mdoc']
const german: Source[] = ['pid_de dc+sd-jwt', 'pid_de mso_mdoc']
const dutch: Source[] = ['pid_nl dc+sd-jwt']
const withAges: Source[] = ['av mso_mdoc', ...mobile, ...german]

/** The claims that each template returns, and the documents that can satisfy it. */
const vocabulary: { name: BuiltInTemplateName; claims: object; sources: Source[] }[] = [
  { name: 'age_over_16', claims: { age_over_16: true }, sources: [...withAges, ...base, ...dutch] },
  { name: 'age_over_18', claims: { age_over_18: true }, sources: [...withAges, ...base, ...dutch] },
  { name: 'age_over_21', claims: { age_over_21: true }, sources: [...withAges, ...base] },
  { name: 'age_over_16_strict', claims: { age_over_16: true }, sources: withAges },
  { name: 'age_over_18_strict', claims: { age_over_18: true }, sources: [...withAges, ...dutch] },
  { name: 'age_over_21_strict', claims: { age_over_21: true }, sources: withAges },
  { name: 'age_over_18_photo', claims: { age_over_18: true, portrait }, sources: [...mobile, ...base] },
  { name: 'identity_basic', claims: identity, sources: [...mobile, ...base, ...german, ...dutch] },
]
const cases = vocabulary.flatMap(({ sources, ...each }) => sources.map((source) => ({ ...each, source })))

test.each(cases)('[TPL-4] $name returns the same claims from $source', async ({ name, claims, source }) => {
  const holdings = ['adult', 'german_pid', 'dutch_pid']
    .flatMap((owner) => findPersona(owner)?.credentials(now) ?? [])
    .filter(({ document, format }) => `${document} ${format}` === source)

  const verdict = await present(name, { issuer, credentials: holdings })

  const credentials = [expect.objectContaining({ format: holdings[0]?.format, findings: [] })]
  expect(verdict).toEqual({
    kind: 'outcome',
    outcome: { status: 'completed', claim_issuers: expect.any(Object), claims, credentials },
  })
})

async function present(name: BuiltInTemplateName, wallet: Wallet): Promise<Verdict> {
  const template = templates.get(name)
  if (template === undefined) throw new Error(`no template ${name}`)
  // The wallet validates a query before it responds; read-built-in.test.ts validates the built-in ones.
  const verification = openProtocolVerification({
    issuer,
    now,
    query: template.query as unknown as DcqlQuery,
    template,
  })
  return verification.verify(await buildResponse(wallet, verification.request, now))
}

function walletOf({ credentials: holdings, alterations = {} }: Persona): Wallet {
  return { issuer, credentials: holdings(now), alterations }
}

function describeEnd(verdict: Verdict): string {
  if (verdict.kind === 'malformed') return verdict.reason
  if (verdict.kind === 'error') return verdict.error.code
  return verdict.outcome.error?.code ?? verdict.outcome.status
}
