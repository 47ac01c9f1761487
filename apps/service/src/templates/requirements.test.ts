import { expect, test } from 'vitest'
import { respondUntilAccepted } from '../../test/respond-until-accepted.ts'
import { startService } from '../../test/service.ts'
import { putTemplate } from './put-template.ts'

const pid = 'eu.europa.ec.eudi.pid.1'
const credentials = {
  'dc+sd-jwt': {
    meta: { vct_values: ['urn:eudi:pid:1'] },
    paths: {
      birth_date: ['birthdate'],
      nationalities: ['nationalities', null],
      issuing_country: ['issuing_country'],
    },
  },
  mso_mdoc: {
    meta: { doctype_value: pid },
    paths: {
      birth_date: [pid, 'birth_date'],
      nationalities: [pid, 'nationality'],
      issuing_country: [pid, 'issuing_country'],
    },
  },
} as const
const year = new Date().getUTCFullYear()

/** The adult is 30 or so and German, the minor seventeen. */
const cases: [must: Record<string, object>, outcome: { adult: string; minor: string }][] = [
  [{ birth_date: { max: `${year - 20}-01-01` } }, { adult: 'completed', minor: 'requirement_not_met' }],
  [{ birth_date: { min: `${year - 20}-01-01` } }, { adult: 'requirement_not_met', minor: 'completed' }],
  [{ nationalities: { in: ['AT', 'DE'] } }, { adult: 'completed', minor: 'completed' }],
  [{ nationalities: { in: ['FR'] } }, { adult: 'requirement_not_met', minor: 'requirement_not_met' }],
  // A date is not a number, and text is neither.
  [{ birth_date: { min: 1 } }, { adult: 'requirement_not_met', minor: 'requirement_not_met' }],
  [
    { issuing_country: { min: '1900-01-01' } },
    { adult: 'requirement_not_met', minor: 'requirement_not_met' },
  ],
]

test('[TPL-5] ranges and sets decide in both formats, and no finding has a value', async () => {
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  for (const [index, [must, outcome]] of cases.entries()) {
    for (const [format, { meta, paths }] of Object.entries(credentials)) {
      const key = `rule_${index}_${format.slice(0, 2)}`
      const template = {
        name: 'Rule',
        description: 'A rule.',
        query: {
          credentials: [{ id: 'pid', format, meta, claims: Object.values(paths).map((path) => ({ path })) }],
        },
        claims: Object.fromEntries(
          Object.entries(paths).map(([name, path]) => [
            name,
            [{ credential: 'pid', path, ...(name === 'birth_date' && { as: 'date' }) }],
          ]),
        ),
        must,
      }
      expect(await putTemplate(service.ctx, { by, key, template })).toEqual([])
      for (const [persona, expected] of Object.entries(outcome)) {
        const { body } = await merchant.post('/v1/verifications', { template: key })
        await respondUntilAccepted(service, body.wallet_uri, { persona })
        const { status, error } = (await merchant.get(`/v1/verifications/${body.id}`)).body
        expect([format, must, persona, error?.code ?? status]).toEqual([format, must, persona, expected])
        const dates = error?.message.match(/\d{4}-\d\d-\d\d/g) ?? []
        for (const date of dates) expect(JSON.stringify(must)).toContain(date)
        expect(error?.message ?? '').not.toContain('"DE"')
      }
    }
  }
})
