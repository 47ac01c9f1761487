import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerSite, type ObtainCode, type Site } from '../../../test/openid/site.ts'
import { startService, type Service } from '../../../test/service.ts'
import { joinPem } from '../../../test/trust/authorities.ts'
import { newState, type State } from '../../../test/trust/state.ts'
import { sql } from '../../engine/db/sql.ts'
import { putTemplate } from '../../templates/put-template.ts'
import { addTenantAnchors } from '../../trust/tenant/change-anchors.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

async function subjectOf(site: Site, options?: ObtainCode) {
  const { code, verifier } = await site.obtainCode(options)
  const { body } = await site.exchange({ code, code_verifier: verifier })
  const { sub, sub_type } = decodeJwt(body.id_token)
  expect((await site.userinfo(body.access_token)).body).toMatchObject({ sub, sub_type })
  return { sub, sub_type }
}

test('by default every verification has a subject of its own', async () => {
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

const number = 'personal_administrative_number'
const person = {
  name: 'Person',
  description: 'Who someone is',
  query: {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: [number] }, { path: ['issuing_country'] }],
      },
      {
        id: 'mdoc',
        format: 'mso_mdoc',
        meta: { doctype_value: 'eu.europa.ec.eudi.pid.1' },
        claims: [
          { path: ['eu.europa.ec.eudi.pid.1', number] },
          { path: ['eu.europa.ec.eudi.pid.1', 'issuing_country'] },
        ],
      },
    ],
    credential_sets: [{ options: [['pid'], ['mdoc']] }],
  },
}

/** A site that recognises people by their number, and trusts these states. */
async function registerForum(
  states: readonly State[],
  anchor: { entity?: string; document_types?: string[] } = {},
): Promise<Site> {
  const merchant = await service.tenant()
  const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
  await putTemplate(service.ctx, { key: 'person', template: person, by })
  const pem = joinPem(...states.map(({ authority }) => authority.certificate))
  await addTenantAnchors(service.ctx, { by, environment: 'test', pem, ...anchor })
  return registerSite(service, { merchant, templates: ['person'], subject_claim: number })
}

test('[OIDC-16] two people of two states with the same number have two subjects, whatever their credentials say', async () => {
  const [estonia, lithuania] = [newState('EE'), newState('LT')]
  const forum = await registerForum([estonia, lithuania])
  for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const) {
    const mari = await subjectOf(forum, { format, alterations: estonia.issueTo('38001010014') })
    const jonas = await subjectOf(forum, { format, alterations: lithuania.issueTo('38001010014') })
    expect(mari.sub_type).toBe('pairwise')
    expect(jonas.sub).not.toBe(mari.sub)
    expect(await subjectOf(forum, { format, alterations: estonia.issueTo('38001010025') })).not.toEqual(mari)
  }
})

test('[OIDC-16] a person keeps the subject when the state renews its certificates, and in the other format', async () => {
  const [before, renewed] = [newState('EE'), newState('EE')]
  const forum = await registerForum([before, renewed])
  const subjects = new Set<unknown>()
  for (const state of [before, renewed])
    for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const)
      for (const signer of [{}, { organization: 'Ministry of the Interior' }])
        subjects.add(
          (await subjectOf(forum, { format, alterations: state.issueTo('38001010014', signer) })).sub,
        )
  expect(subjects.size).toBe(1)
})

test('[OIDC-16] an authority that certifies a signer of another state makes nobody of that state', async () => {
  const [estonia, lithuania] = [newState('EE'), newState('LT')]
  const forum = await registerForum([estonia, lithuania])
  const mari = await subjectOf(forum, { alterations: estonia.issueTo('38001010014') })
  const named = lithuania.issueTo('38001010014', { country: 'EE', organization: 'Ministry' })
  expect((await subjectOf(forum, { alterations: named })).sub).not.toBe(mari.sub)

  // Nothing says whose numbers they are, so there is no subject at all.
  const unnamed = lithuania.issueTo('38001010014', { country: 'EE' })
  const { returned } = await forum.obtainCode({ alterations: unnamed })
  expect(returned.searchParams.get('error')).toBe('access_denied')
  const listed = await registerForum([lithuania], { entity: 'Lithuania' })
  expect((await subjectOf(listed, { alterations: unnamed })).sub_type).toBe('pairwise')
})

test('[OIDC-16] [OIDC-17] whose claims they are is kept with them, and only for a client that recognises people', async () => {
  const kept = async (site: Site) => {
    const { id } = await site.obtainCode()
    const rows = await service.ctx.db.query<{ claim_issuers: Record<string, string> | null }>(
      sql`select claim_issuers from verification_results where verification_id = ${id}`,
    )
    return rows.map(({ claim_issuers }) => claim_issuers)
  }
  expect(await kept(await registerForum([newState('EE')]))).toEqual([
    { [number]: expect.stringMatching(/^[\w-]{43}$/), issuing_country: expect.any(String) },
  ])
  expect(await kept(await registerSite(service))).toEqual([null])
})
