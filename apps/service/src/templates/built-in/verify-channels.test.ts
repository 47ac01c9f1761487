import { builtInTemplateNames, type BuiltInTemplateName } from '@vidimus/contract'
import {
  buildResponse,
  createIssuer,
  createWallet,
  expectedOutcome,
  findPersona,
  personas,
  type Channel,
  type DcqlQuery,
  type Persona,
} from '@vidimus/sandbox'
import { openChannelVerification } from '@vidimus/sandbox/testing/channels'
import { describe, expect, test } from 'vitest'
import { readBoundTemplates } from '../../../test/bound-templates.ts'

const now = new Date()
const issuer = createIssuer({ now })
const templates = readBoundTemplates()
const responding = personas.filter(({ behaviour }) => behaviour === undefined)

/** Opens a verification on the channel, has the persona respond, and returns the outcome. */
async function respondOver(channel: Channel, name: BuiltInTemplateName, persona: Persona): Promise<string> {
  const template = templates.get(name)
  if (template === undefined) throw new Error(`no template ${name}`)
  const verification = await openChannelVerification(channel, {
    issuer,
    now,
    // The wallet validates the query before it responds.
    query: template.query as unknown as DcqlQuery,
    template,
  })
  const form = await buildResponse(createWallet(persona, { issuer, now }), verification.request, now)
  const verdict = await verification.verify(form)
  if (verdict.kind === 'malformed') return verdict.reason
  if (verdict.kind === 'error') return verdict.error.code
  return verdict.outcome.error?.code ?? verdict.outcome.status
}

function requirePersona(name: string): Persona {
  const persona = findPersona(name)
  if (persona === undefined) throw new Error(`no persona ${name}`)
  return persona
}

describe.each(responding)('over the Digital Credentials API, $name, who $description', (persona) => {
  test.each(builtInTemplateNames)('%s', async (name) => {
    expect(await respondOver('dc_api', name, persona)).toBe(expectedOutcome(persona, name))
  })
})

const ageTemplates = [
  'age_over_16',
  'age_over_16_strict',
  'age_over_18',
  'age_over_18_strict',
  'age_over_21',
  'age_over_21_strict',
] as const

describe('over annex C', () => {
  test.each(
    builtInTemplateNames.filter((name) => !/^preview\.(?:ehic|iban|learning|residence|student)/.test(name)),
  )('an adult with every document completes %s', async (name) => {
    expect(await respondOver('annex_c', name, requirePersona('adult'))).toBe('completed')
  })

  test.each(ageTemplates)('someone with only the proof of age of the EU app completes %s', async (name) => {
    expect(await respondOver('annex_c', name, requirePersona('age_app'))).toBe('completed')
  })
})

describe('[DC-12] the age app', () => {
  test.each(ageTemplates)('completes %s', async (name) => {
    expect(await respondOver('age_app', name, requirePersona('age_app'))).toBe('completed')
  })

  test('of someone too young fails age_over_18', async () => {
    expect(await respondOver('age_app', 'age_over_18', requirePersona('minor'))).toBe('requirement_not_met')
  })
})
