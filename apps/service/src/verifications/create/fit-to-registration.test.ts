import type { DcRequests } from '@vidimus/contract'
import type { DcqlQuery, Format, RegistrationDraft } from '@vidimus/sandbox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeJwt } from '../../../test/decode-jwt.ts'
import {
  certificate,
  issueToShop,
  queryFor,
  registrationPolicy,
  verified,
} from '../../../test/trust/registered-shop.ts'
import { startService, type Service } from '../../../test/service.ts'
import { openWallet, type HolderChannel, type WalletOptions } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/index.ts'
import { readBuiltInTemplates } from '../../templates/built-in/read-built-in.ts'
import { setRegistrationSettings } from '../../trust/registrations/settings.ts'
import { addRegistration } from '../../trust/registrations/add-registration.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'

type DcRequest = DcRequests['requests'][number]

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

describe('alternatives outside the registration are left out', () => {
  const pidOnly = {
    credentials: [
      {
        format: 'dc+sd-jwt' as const,
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [['age_equal_or_over'], ['birthdate']],
      },
    ],
  }
  const licenceOnly = {
    credentials: [
      {
        format: 'mso_mdoc' as const,
        meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
        claims: [['org.iso.18013.5.1', 'age_over_18']],
      },
    ],
  }

  /** A tenant that is registered for this, and what it asks with a template. */
  async function register(changes: Partial<RegistrationDraft>) {
    const tenant = await service.tenant()
    const by = { kind: 'operator' as const, tenant_id: tenant.tenant_id }
    await setIdentity(service.ctx, { tenant_id: tenant.tenant_id, certificate })
    await setHolderPage(service.ctx, { by, age_app: true })
    await addRegistration(service.ctx, { by, certificate: issueToShop({}, changes) })
    const create = async (body: object = { template: 'age_over_18' }) => {
      const { status, headers, body: created } = await tenant.post('/v1/verifications', body)
      const id: string = created.id
      const requests = async () => (await service.anonymous.get(`/wallet/dc/${id}`)).body.requests
      return {
        status,
        id,
        code: created.error?.code,
        warnings: headers.get('x-service-warning'),
        requests,
        queries: async () =>
          [
            (await service.anonymous.get(`/wallet/request/${id}`)).text,
            (await requests())[0].data.request,
          ].map((jwt) => decodeJwt(jwt).claims['dcql_query']),
        read: async () => (await tenant.get(`/v1/verifications/${id}`)).body,
        page: async () => (await service.anonymous.get(`/verify/${id}/session?lang=en`)).body,
      }
    }
    return { tenant, by, create }
  }
  const wallet = (options: WalletOptions = {}) =>
    openWallet(service.ctx, service.address, { registration: registrationPolicy, ...options })

  test('on every channel, with a warning, and a wallet has nothing to warn of: PIDs as SD-JWT VC', async () => {
    const { create } = await register(pidOnly)
    for (const channel of ['redirect', 'dc_api'] as const) {
      const verification = await create()
      expect(verification.warnings).toContain(
        'query.credentials[1]: is outside the registration and is left out',
      )
      for (const query of await verification.queries())
        expect(query).toEqual({
          credentials: [
            {
              id: 'pid_sd_jwt',
              format: 'dc+sd-jwt',
              meta: { vct_values: expect.arrayContaining(['urn:eudi:pid:1', 'urn:eudi:pid:nl:1']) },
              claims: [
                { id: 'age_1', path: ['age_equal_or_over', '18'] },
                { id: 'age_3', path: ['birthdate'] },
              ],
              claim_sets: [['age_1'], ['age_3']],
            },
          ],
          credential_sets: [{ options: [['pid_sd_jwt']] }],
        })
      expect((await verification.requests()).map(({ protocol }: DcRequest) => protocol)).toEqual([
        'openid4vp-v1-signed',
      ])
      const { asks, age_app_uri } = await verification.page()
      expect([asks[0].documents, age_app_uri]).toEqual([['Digital identity (PID)'], undefined])

      const responded = await (await wallet()).respondOver(channel, verification.id)
      expect(responded).toMatchObject({ sent: true, registration: verified })
      expect(await verification.read()).toMatchObject({
        status: 'completed',
        template: 'age_over_18',
        claims: { age_over_18: true },
        credentials: [{ format: 'dc+sd-jwt', claims: {} }],
      })
    }
  })

  test('the same for a driving licence as mdoc', async () => {
    const { create } = await register(licenceOnly)
    for (const channel of ['redirect', 'dc_api', 'annex_c'] as const) {
      const verification = await create()
      const [, annexC] = await verification.requests()
      const deviceRequest = Buffer.from(annexC.data.deviceRequest, 'base64url')
      expect(['org.iso.18013.5.1.mDL', 'eu.europa.ec'].map((type) => deviceRequest.includes(type))).toEqual([
        true,
        false,
      ])
      const responded = await (await wallet()).respondOver(channel, verification.id)
      expect(responded).toMatchObject({ sent: true, registration: verified })
      expect(await verification.read()).toMatchObject({
        status: 'completed',
        credentials: [{ doctype_or_vct: 'org.iso.18013.5.1.mDL' }],
      })
    }
  })

  test.each<[Format, Partial<RegistrationDraft>, HolderChannel[]]>([
    ['dc+sd-jwt', licenceOnly, ['redirect', 'dc_api']],
    ['mso_mdoc', pidOnly, ['redirect', 'dc_api']],
  ])('what was left out is not accepted: %s', async (format, changes, channels) => {
    const { create } = await register(changes)
    const full = readBuiltInTemplates().get('age_over_18')?.query as DcqlQuery // validated when it is read
    for (const channel of channels) {
      const verification = await create()
      const stubborn = await wallet({ format, alterations: { query: () => full } })
      await stubborn.respondOver(channel, verification.id)
      expect(await verification.read()).toMatchObject({
        status: 'failed',
        error: { message: expect.stringContaining('query_id') },
      })
    }
  })

  test('of a query of its own too; if nothing remains it is asked as it is, or refused', async () => {
    const { create, by } = await register(licenceOnly)
    const [pid] = queryFor['dc+sd-jwt'].credentials
    const mdl = {
      ...queryFor.mso_mdoc.credentials[0],
      claims: [{ path: ['org.iso.18013.5.1', 'age_over_18'] }],
    }
    const either = { credentials: [pid, mdl], credential_sets: [{ options: [['pid'], ['mdl']] }] }
    for (const excess of ['warn', 'refuse'] as const) {
      await setRegistrationSettings(service.ctx, { by, policy: excess })
      const trimmed = await create({ query: either })
      expect([trimmed.status, trimmed.warnings]).toEqual([
        201,
        'query.credentials[0]: is outside the registration and is left out',
      ])
      expect(await trimmed.queries()).toEqual(
        Array.from({ length: 2 }, () => ({
          credentials: [{ ...mdl, claims: [{ ...mdl.claims[0], intent_to_retain: true }] }],
          credential_sets: [{ options: [['mdl']] }],
        })),
      )
    }
    expect(await create({ query: { credentials: [pid, mdl] } })).toMatchObject({
      status: 422,
      code: 'registration_exceeded',
    })
    await setRegistrationSettings(service.ctx, { by, policy: 'warn' })
    const whole = await create({ query: { credentials: [pid, mdl] } })
    expect([whole.status, whole.warnings]).toEqual([201, 'query.credentials[0]: is outside the registration'])
    expect((await whole.queries())[0]).toMatchObject({ credentials: [{ id: 'pid' }, { id: 'mdl' }] })
  })
})
