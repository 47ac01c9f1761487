import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerSite, type Site } from '../../test/openid/site.ts'
import { startService, type Service } from '../../test/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function subjectOf(site: Site) {
  const { code, verifier } = await site.obtainCode()
  const { body } = await site.exchange({ code, code_verifier: verifier })
  const { sub, sub_type } = decodeJwt(body.id_token)
  expect((await site.userinfo(body.access_token)).body).toMatchObject({ sub, sub_type })
  return { sub, sub_type }
}

test('[OIDC-15] by default every verification has a subject of its own', async () => {
  const site = await registerSite(service)
  const [first, second] = [await subjectOf(site), await subjectOf(site)]
  expect(first.sub_type).toBe('ephemeral')
  expect(second.sub).not.toBe(first.sub)
})

test('[OIDC-16] with a claim, a person has one subject at a client and another one elsewhere', async () => {
  const settings = { templates: ['driving_licence'], subject_claim: 'document_number' }
  const site = await registerSite(service, settings)
  const first = await subjectOf(site)
  expect(first).toEqual({ sub: expect.stringMatching(/^[\w-]{43}$/), sub_type: 'pairwise' })
  expect(await subjectOf(site)).toEqual(first)
  const sibling = await registerSite(service, { ...settings, merchant: site.merchant })
  const stranger = await registerSite(service, settings)
  const others = [(await subjectOf(sibling)).sub, (await subjectOf(stranger)).sub]
  expect(new Set([first.sub, ...others]).size).toBe(3)
})
