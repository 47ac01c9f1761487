import { X509Certificate } from 'node:crypto'
import type { DcRequests } from '@vidimus/contract'
import { buildVerifierInfo, type VerifierAttestation } from '@vidimus/protocol'
import {
  createRegistrar,
  generateSigningKey,
  issueRegistration,
  serveRegistrationStatus,
  type DcqlQuery,
  type Format,
  type RegistrationDraft,
  type RegistrationFault,
  type RegistrationPolicy,
} from '@vidimus/sandbox'
import { independentHolders, independentIssuers } from '@vidimus/wallets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claims, queries } from '../../../../../packages/wallets/test/queries.ts'
import { decodeJwt } from '../../../test/decode-jwt.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { carryRegistration } from '../../../test/trust/carry-registration.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet, type HolderChannel, type WalletOptions } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/index.ts'
import { readBuiltInTemplates } from '../../templates/built-in/read-built-in.ts'
import { setRegistrationSettings } from '../../trust/registrations/settings.ts'
import { addRegistration } from '../../trust/registrations/add-registration.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'

type DcRequest = DcRequests['requests'][number]

const identifier = 'NTRUT-12345678'
const now = new Date()
const registrar = createRegistrar({ now })
const certificate = newAccessCertificate({ identifier })
const draft: RegistrationDraft = {
  name: 'Flower shop',
  legal_name: 'Flowers Ltd',
  identifier,
  purpose: 'To sell wine',
  credentials: [
    {
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [['given_name'], ['family_name'], ['age_equal_or_over']],
    },
    {
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [['org.iso.18013.5.1']],
    },
  ],
}

/** As the EUDI library: the providers' roots are trusted, and status lists are fetched. */
const policy: RegistrationPolicy = {
  anchors: [registrar.root.certificate],
  fetchStatus: async (uri) => serveRegistrationStatus(registrar, uri, { now }),
}

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate })
})
afterAll(() => service[Symbol.asyncDispose]())

const queryFor = {
  'dc+sd-jwt': {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }, { path: ['family_name'] }],
      },
    ],
  },
  mso_mdoc: {
    credentials: [
      {
        id: 'mdl',
        format: 'mso_mdoc',
        meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
        claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
      },
    ],
  },
} satisfies Record<Format, object>

const issue = (options: { fault?: RegistrationFault; version?: '1.1.1' | '1.2.1' } = {}, changes = {}) =>
  issueRegistration(registrar, { ...draft, ...changes }, { now, ...options })

type Asked = {
  /** Absent: what the service sends. */
  info?: VerifierAttestation[]
  query?: object
  channel?: 'redirect' | 'dc_api' | 'annex_c'
  as?: Merchant
}

/** Creates a verification under a registration and lets a wallet that checks it respond over HTTP. */
async function ask({ info, query = queryFor['dc+sd-jwt'], channel = 'redirect', as = merchant }: Asked) {
  const { body: created } = await as.post('/v1/verifications', { query })
  if (info !== undefined) await carryRegistration(service.ctx, created.id, info)
  const wallet = await openWallet(service.ctx, service.address, { registration: policy })
  const responded = await wallet.respondOver(channel, created.id)
  const { body } = await as.get(`/v1/verifications/${created.id}`)
  return {
    status: body.status,
    ...(responded.sent
      ? { shown: responded.registration }
      : { rules: responded.violations.map(({ rule }) => rule) }),
  }
}

const encodings = ['base64url', 'jwt'] as const
const shown = { name: 'Flower shop', purpose: 'To sell wine' }
const verified = { result: 'verified', registration: shown, over_asked: [] }

describe('a wallet that reads registrations as the EUDI library does', () => {
  const cases = encodings.flatMap((encoding) =>
    (['1.1.1', '1.2.1'] as const).flatMap((version) =>
      (
        [
          ['dc+sd-jwt', 'redirect'],
          ['dc+sd-jwt', 'dc_api'],
          ['mso_mdoc', 'redirect'],
          ['mso_mdoc', 'dc_api'],
          ['mso_mdoc', 'annex_c'],
        ] as const
      ).map(([format, channel]) => ({ encoding, version, format, channel })),
    ),
  )
  test.each(cases)(
    'accepts a certificate of V$version, encoded as $encoding: $format over $channel',
    async ({ encoding, version, format, channel }) => {
      const info = buildVerifierInfo({ token: issue({ version }) }, undefined, encoding)
      expect(await ask({ info, query: queryFor[format], channel })).toEqual({
        status: 'completed',
        shown: verified,
      })
    },
  )

  test('accepts the registration that a tenant added', async () => {
    const tenant = await service.tenant()
    const by = { kind: 'operator' as const, tenant_id: tenant.tenant_id }
    await setIdentity(service.ctx, { tenant_id: tenant.tenant_id, certificate })
    await addRegistration(service.ctx, { by, certificate: issue() })
    for (const [format, channel] of [
      ['dc+sd-jwt', 'redirect'],
      ['mso_mdoc', 'dc_api'],
      ['mso_mdoc', 'annex_c'],
    ] as const)
      expect(await ask({ query: queryFor[format], channel, as: tenant })).toEqual({
        status: 'completed',
        shown: verified,
      })
  })

  test('accepts the data set of the registrar beside it', async () => {
    const info = buildVerifierInfo(
      { token: issue() },
      { identifier, registryURI: 'https://r.example' },
      'base64url',
    )
    expect(await ask({ info })).toEqual({ status: 'completed', shown: verified })
  })

  test.each<[RegistrationFault, object]>([
    ['not_bound', { result: 'failed', reason: 'not_bound_to_requester' }],
    ['expired', { result: 'failed', reason: 'expired' }],
    ['no_status', { result: 'failed', reason: 'status_missing' }],
    ['revoked', { result: 'failed', reason: 'revoked' }],
    [
      'over_asking',
      { result: 'verified', over_asked: [{ path: ['given_name'] }, { path: ['family_name'] }] },
    ],
  ])('warns the holder: %s', async (fault, expected) => {
    const info = buildVerifierInfo({ token: issue({ fault }) }, undefined, 'base64url')
    for (const channel of ['redirect', 'dc_api'] as const)
      expect(await ask({ info, channel })).toMatchObject({ status: 'completed', shown: expected })
    const overAnnexC = fault === 'over_asking' ? { over_asked: [{ format: 'mso_mdoc' }] } : expected
    expect(await ask({ info, channel: 'annex_c', query: queryFor.mso_mdoc })).toMatchObject({
      shown: overAnnexC,
    })
  })

  test.each<[RegistrationFault, string]>([
    ['wrong_typ', 'registration.typ'],
    ['other_signer', 'registration.x5c.trust'],
    ['other_key', 'registration.signature'],
  ])('does not answer: %s', async (fault, rule) => {
    const info = buildVerifierInfo({ token: issue({ fault }) }, undefined, 'base64url')
    expect(await ask({ info })).toEqual({ status: 'pending', rules: [rule] })
    expect(await ask({ info, channel: 'annex_c', query: queryFor.mso_mdoc })).toEqual({
      status: 'pending',
      rules: [rule],
    })
  })

  test.each<[string, VerifierAttestation[], string]>([
    ['without a certificate', [{ format: 'jwt', data: 'x' }], 'registration.count'],
    [
      'with two certificates',
      [
        ...buildVerifierInfo({ token: issue() }, undefined, 'jwt'),
        ...buildVerifierInfo({ token: issue() }, undefined, 'jwt'),
      ],
      'registration.count',
    ],
    ['with text that is none', [{ format: 'registration_cert', data: 'x' }], 'registration.form'],
    [
      'that is limited to credentials',
      [{ format: 'registration_cert', data: issue(), credential_ids: ['pid'] }],
      'registration.credential_ids',
    ],
  ])('does not answer a request %s', async (_, info, rule) => {
    expect(await ask({ info })).toEqual({ status: 'pending', rules: [rule] })
  })

  test('accepts a registration through an intermediary only from the certificate that has its identifier', async () => {
    const other = await service.tenant()
    const intermediary = { identifier, name: 'Example Verify' }
    await setIdentity(service.ctx, { tenant_id: other.tenant_id, certificate })
    const registered = issue({}, { identifier: 'NTRUT-SHOP', intermediary })
    const info = buildVerifierInfo({ token: registered }, undefined, 'base64url')
    for (const channel of ['redirect', 'annex_c'] as const) {
      expect(await ask({ info, channel, query: queryFor.mso_mdoc, as: other })).toEqual({
        status: 'completed',
        shown: { ...verified, registration: { ...shown, intermediary: 'Example Verify' } },
      })
    }
    // Here the service's own certificate is self-made and has no identifier, so that the wallet warns; over annex C it signs all the same.
    const unnamed = await service.tenant()
    for (const channel of ['redirect', 'annex_c'] as const) {
      expect(await ask({ info, channel, query: queryFor.mso_mdoc, as: unnamed })).toMatchObject({
        status: 'completed',
        shown: { result: 'failed', reason: 'not_bound_to_requester' },
      })
    }
  })
})

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
    await addRegistration(service.ctx, { by, certificate: issue({}, changes) })
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
    openWallet(service.ctx, service.address, { registration: policy, ...options })

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
    const full = readBuiltInTemplates().get('age_over_18')?.query as unknown as DcqlQuery // validated when it is read
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

describe('independent wallets answer requests that carry a registration certificate', () => {
  const formats: Format[] = ['dc+sd-jwt', 'mso_mdoc']
  const cases = independentHolders.flatMap((holder) =>
    formats.flatMap((format) => encodings.map((encoding) => ({ holder, format, encoding }))),
  )
  test.each(cases)(
    '$holder.name: $format, $encoding',
    { timeout: 30_000 },
    async ({ holder, format, encoding }) => {
      const { chain } = certificate
      const root = new X509Certificate(chain.split(/(?=-----BEGIN)/).at(-1) ?? '').raw
      await using opened = await holder.open({
        fetch: (url, init) => {
          const text = url instanceof Request ? url.url : String(url)
          return fetch(text.replace(service.ctx.config.BASE_URL, service.address), init)
        },
        trustedRoots: [root],
        insecure: true,
      })
      const [from] = independentIssuers
      const key = generateSigningKey()
      const issuer = await openSandboxIssuer(service.ctx)
      const credential = await from?.issue[format]({ issuer, holderKey: key, now: new Date() })
      const { body: created } = await merchant.post('/v1/verifications', { query: queries[format] })
      await carryRegistration(
        service.ctx,
        created.id,
        buildVerifierInfo({ token: issue() }, { identifier }, encoding),
      )

      const status = await opened.respond(created.wallet_uri, { format, credential: credential ?? '', key })

      const { body } = await merchant.get(`/v1/verifications/${created.id}`)
      expect({ status, outcome: body }).toMatchObject({
        status: 200,
        outcome: { status: 'completed', claims: claims[format] },
      })
    },
  )
})
