import { X509Certificate } from 'node:crypto'
import { buildVerifierInfo, type VerifierAttestation } from '@vidimus/protocol'
import { generateSigningKey, type Format, type RegistrationFault } from '@vidimus/sandbox'
import { independentHolders, independentIssuers } from '@vidimus/wallets'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { claims, queries } from '../../../../../packages/wallets/test/queries.ts'
import { carryRegistration } from '../../../test/trust/carry-registration.ts'
import {
  certificate,
  identifier,
  issueToShop,
  queryFor,
  registrationPolicy,
  verified,
} from '../../../test/trust/registered-shop.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'
import { addRegistration } from '../../trust/registrations/add-registration.ts'
import { setIdentity } from '../../trust/identity/set-identity.ts'
import { openSandboxIssuer } from '../../trust/sandbox/open-sandbox.ts'

let service: Service
let merchant: Merchant
beforeAll(async () => {
  service = await startService()
  merchant = await service.tenant()
  await setIdentity(service.ctx, { tenant_id: merchant.tenant_id, certificate })
})
afterAll(() => service[Symbol.asyncDispose]())

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
  const wallet = await openWallet(service.ctx, service.address, { registration: registrationPolicy })
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
      const info = buildVerifierInfo({ token: issueToShop({ version }) }, undefined, encoding)
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
    await addRegistration(service.ctx, { by, certificate: issueToShop() })
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
      { token: issueToShop() },
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
    const info = buildVerifierInfo({ token: issueToShop({ fault }) }, undefined, 'base64url')
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
    const info = buildVerifierInfo({ token: issueToShop({ fault }) }, undefined, 'base64url')
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
        ...buildVerifierInfo({ token: issueToShop() }, undefined, 'jwt'),
        ...buildVerifierInfo({ token: issueToShop() }, undefined, 'jwt'),
      ],
      'registration.count',
    ],
    ['with text that is none', [{ format: 'registration_cert', data: 'x' }], 'registration.form'],
    [
      'that is limited to credentials',
      [{ format: 'registration_cert', data: issueToShop(), credential_ids: ['pid'] }],
      'registration.credential_ids',
    ],
  ])('does not answer a request %s', async (_, info, rule) => {
    expect(await ask({ info })).toEqual({ status: 'pending', rules: [rule] })
  })

  test('accepts a registration through an intermediary only from the certificate that has its identifier', async () => {
    const other = await service.tenant()
    const intermediary = { identifier, name: 'Example Verify' }
    await setIdentity(service.ctx, { tenant_id: other.tenant_id, certificate })
    const registered = issueToShop({}, { identifier: 'NTRUT-SHOP', intermediary })
    const info = buildVerifierInfo({ token: registered }, undefined, 'base64url')
    for (const channel of ['redirect', 'annex_c'] as const) {
      expect(await ask({ info, channel, query: queryFor.mso_mdoc, as: other })).toEqual({
        status: 'completed',
        shown: { ...verified, registration: { ...verified.registration, intermediary: 'Example Verify' } },
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
        buildVerifierInfo({ token: issueToShop() }, { identifier }, encoding),
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
