import { expect, test } from 'vitest'
import fc from 'fast-check'
import { checkTemplate } from '@vidimus/protocol'
import { documents, vocabulary } from './catalogue.ts'
import { composeTemplate, readDraft, type Draft } from './compose.ts'
import { listConditions, type Condition } from './conditions.ts'

const draft: fc.Arbitrary<Draft> = fc
  .record({
    name: fc.constant('Club entry'),
    description: fc.constantFrom('', 'Over 18, with a portrait.'),
    purpose: fc.constantFrom(
      [],
      [
        { lang: 'de', content: 'Einlass' },
        { lang: 'en', content: 'Entry' },
      ],
    ),
    documents: fc.subarray([...documents], { minLength: 1 }),
    formats: fc.subarray(['dc+sd-jwt', 'mso_mdoc'] as const, { minLength: 1 }),
    claims: fc.subarray(
      vocabulary.map(({ name }) => name),
      { minLength: 1 },
    ),
    must: fc.constant({}),
    derive: fc.boolean(),
  })
  .chain((generated) =>
    fc
      .tuple(
        ...generated.claims.map((claim) =>
          fc.option(anyCondition(claim)).map((rule) => [claim, rule] as const),
        ),
      )
      .map((rules) => ({
        ...generated,
        must: Object.fromEntries(rules.flatMap(([claim, rule]) => (rule === null ? [] : [[claim, rule]]))),
      })),
  )

function anyCondition(claim: string): fc.Arbitrary<Condition> {
  const examples: Record<ReturnType<typeof listConditions>[number], Condition> = {
    equals: { equals: true },
    not_empty: { not_empty: true },
    in: { in: ['DE', 'AT'] },
    range: { min: '1990-01-31' },
    compare: { compare: true },
  }
  return fc.constantFrom(...listConditions(claim).map((kind) => examples[kind]))
}

/** The one document that never has a birth date to derive an age from. */
const withoutBirthDate: Draft = {
  name: 'Club entry',
  description: '',
  purpose: [],
  documents: ['av'],
  formats: ['mso_mdoc'],
  claims: ['age_over_18'],
  must: {},
  derive: true,
}

test('any selection builds a template that the service accepts, if some document has all the claims', () => {
  let accepted = 0
  fc.assert(
    fc.property(draft, (given) => {
      const template = composeTemplate(given)
      const { credentials } = template['query'] as { credentials: unknown[] } // as composed
      if (credentials.length === 0) return
      accepted += 1
      expect(checkTemplate(template)).toEqual([])
    }),
    { numRuns: 500, examples: [[withoutBirthDate]] },
  )
  expect(accepted).toBeGreaterThan(20)
})

test('the form reads back what it built, in whatever order the members were stored', () => {
  fc.assert(
    fc.property(draft, (given) => {
      const template = composeTemplate(given)
      const kept = JSON.parse(JSON.stringify(template)) as Record<string, unknown>
      const reversed = Object.fromEntries(Object.entries(kept).toReversed())
      const read = readDraft(reversed)
      expect(read === undefined ? template : composeTemplate(read)).toEqual(template)
    }),
    { numRuns: 300 },
  )
  const common: Draft = {
    name: 'Club entry',
    description: 'Over 18.',
    purpose: [],
    documents: ['pid', 'mdl'],
    formats: ['dc+sd-jwt', 'mso_mdoc'],
    claims: ['portrait', 'age_over_18'],
    must: { age_over_18: { equals: true } },
    derive: true,
  }
  expect(readDraft(composeTemplate(common))?.claims.toSorted()).toEqual(['age_over_18', 'portrait'])
  expect(readDraft({ ...composeTemplate(common), sources: ['by hand'] })).toBeUndefined()
  for (const rule of [{ equals: false }, { min: 18 }, { in: [true] }, { in: ['yes'] }])
    expect(readDraft({ ...composeTemplate(common), must: { age_over_18: rule } })).toBeUndefined()
})
