import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { respondUntilAccepted } from '../../test/respond-until-accepted.ts'
import { startService } from '../../test/service.ts'
import { putTemplate } from './put-template.ts'

const guide = readFileSync(new URL('../../../../docs/guides/templates.md', import.meta.url), 'utf8')

test('the template of the guide works as the guide says, for every persona that it names', async () => {
  const [, text = ''] = /```json\n([^`]+)```/.exec(guide) ?? []
  await using service = await startService()
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  const template: unknown = JSON.parse(text)
  expect(await putTemplate(service.ctx, { by, key: 'senior_ticket', template })).toEqual([])
  const outcome = async (persona: string) => {
    const { body } = await merchant.post('/v1/verifications', { template: 'senior_ticket' })
    await respondUntilAccepted(service, body.wallet_uri, { persona })
    const { status, error, claims } = (await merchant.get(`/v1/verifications/${body.id}`)).body
    return [status, error?.code ?? claims]
  }

  expect(await outcome('senior')).toEqual(['completed', { age_over_65: true }])
  expect(await outcome('german_pid')).toEqual(['failed', 'requirement_not_met'])
  expect(await outcome('adult')).toEqual(['failed', 'holder_declined'])
})
