import { decodeJwt } from 'jose'
import { expect, test } from 'vitest'
import { registerSite, type Site } from '../../../test/openid/site.ts'
import { startTwoCells } from '../../../test/two-cells.ts'

async function subjectOf(site: Site): Promise<string | undefined> {
  const { code, verifier } = await site.obtainCode()
  const { status, body } = await site.exchange({ code, code_verifier: verifier })
  expect([status, decodeJwt(body.id_token).iss]).toEqual([200, site.issuer])
  return decodeJwt(body.id_token).sub
}

test('a tenant that moves keeps its issuer, keys, secrets and subjects; a sign-in in progress ends', async () => {
  await using cells = await startTwoCells()
  const { source, target } = cells
  const site = await registerSite(source, {
    templates: ['driving_licence'],
    subject_claim: 'document_number',
  })
  const before = await subjectOf(site)
  const keys = await source.anonymous.get(`${new URL(site.issuer).pathname}/jwks`)
  const open = await site.obtainCode()

  await cells.move(site.merchant.tenant_id)

  const moved = site.at(target)
  expect((await target.anonymous.get(`${new URL(site.issuer).pathname}/jwks`)).body).toEqual(keys.body)
  expect(await subjectOf(moved)).toBe(before)
  const late = await moved.exchange({ code: open.code, code_verifier: open.verifier })
  expect(late.body.error).toBe('invalid_grant')
})
