import { randomBytes } from 'node:crypto'
import type { Format, Wallet } from '@vidimus/sandbox'
import { afterAll, describe, expect, test } from 'vitest'
import { startService } from '../../../test/service.ts'
import { openWallet } from '../../../test/wallet.ts'

// What other issuers and wallets write according to their source code, one shape in turn:
// EUDI PID issuer 0.9.1: iss and a kid, cnf.jwk with kid, use and alg, no status. EUDI issuer in Python 0.9.8: iat at the start of the
// day, identifier_list, kid in both headers of issuerAuth, jti and sub. walt.id 2026-08-22: cnf.jwk as above, x5chain as an array; as a
// wallet neither apu nor apv, unencrypted errors. Multipaz 0.93.0: iss and a kid; as a wallet apu from the nonce, an empty form, no state,
// fully specified algorithms; 2e16548: application/json without a parameter. Procivis One 1.74.2: vct#integrity, expectedUpdate, typ
// vc+sd-jwt; as a wallet iss, aud and exp in the response. EUDIPLO 4fe9a38: neither exp nor nbf. swiyu 2243e55: a header of its profile, a
// DID; its wallet 1.16.3: neither apu nor apv, errors without state. Credo 0.6.3: cnf with a kid only. ISO/IEC 18013-5 §9.1.2.4:
// keyAuthorizations. EUDI libraries for the JVM 0.15.0, Android 0.27.0 and iOS 0.34.0: apu from the wallet, errors encrypted and not.
// Lissi 3.0.1: A256GCM, errors without state. IT-Wallet SDK 1.2.1: apu from the wallet. Sphereon 0.19.0: a presentation without an array.
const service = await startService()
const merchant = await service.tenant()
afterAll(() => service[Symbol.asyncDispose]())

const query = {
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: ['urn:eudi:pid:1'] },
      claims: [{ path: ['given_name'] }],
    },
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
      claims: [{ path: ['org.iso.18013.5.1', 'given_name'] }],
    },
  ],
  credential_sets: [{ options: [['pid'], ['mdl']] }],
}

type Alterations = NonNullable<Wallet['alterations']>
type Shape = { name: string; alterations: Alterations }

async function respondWith(format: Format, alterations: Alterations) {
  const { body: created } = await merchant.post('/v1/verifications', { query })
  const wallet = await openWallet(service.ctx, service.address, { format, alterations })
  const responded = await wallet.respond(created.wallet_uri)
  if (!responded.sent) throw new Error(JSON.stringify(responded.violations))
  const { body: verification } = await merchant.get(`/v1/verifications/${created.id}`)
  return { http_status: responded.http_status, verification }
}

const accepted = { http_status: 200, verification: { status: 'completed', claims: { given_name: 'Erika' } } }

/** Adds members to the issuer-signed claims of an SD-JWT VC. */
const claims = (more: Record<string, string | number>): Alterations => ({
  issuer_payload: (right) => ({ ...right, ...more }),
})

const dayStart = (seconds: unknown) => Math.floor(Number(seconds) / 86_400) * 86_400

const sdJwtShapes: Shape[] = [
  {
    name: 'iss and a kid in addition to x5c',
    alterations: {
      issuer_header: (right) => ({ ...right, kid: 'issuer-kid-1' }),
      issuer_payload: (right) => ({ ...right, iss: 'https://issuer.example/pid' }),
    },
  },
  {
    name: 'a header parameter of a national profile',
    alterations: { issuer_header: (right) => ({ ...right, profile_version: 'swiss-profile-vc:1.0.0' }) },
  },
  {
    name: 'cnf.jwk with kid, use and alg',
    alterations: {
      issuer_payload: (right) => ({
        ...right,
        cnf: { jwk: { ...holderJwk(right), kid: 'holder-1', use: 'sig', alg: 'ES256' } },
      }),
    },
  },
  {
    name: 'iat at the start of the day',
    alterations: {
      issuer_payload: (right) => ({ ...right, iat: dayStart(right['iat']), nbf: dayStart(right['nbf']) }),
    },
  },
  {
    name: 'neither exp nor nbf',
    alterations: { issuer_payload: ({ exp: _, nbf: __, ...right }) => right },
  },
  {
    name: 'vct#integrity and vct_metadata_uri',
    alterations: claims({
      'vct#integrity': 'sha256-TmHzu3DojO4MFaBXcJ6akg8JY/JWOcDU8PfUViEMYKk=',
      vct_metadata_uri: 'https://issuer.example/metadata.json',
      'vct_metadata_uri#integrity': 'sha256-TmHzu3DojO4MFaBXcJ6akg8JY/JWOcDU8PfUViEMYKk=',
    }),
  },
  {
    name: 'jti, sub and issuing data in addition to the claims',
    alterations: claims({ jti: 'urn:uuid:1', sub: 'did:example:holder', issuing_authority: 'UT' }),
  },
  {
    name: 'iss in the key binding',
    alterations: { kb_payload: (right) => ({ ...right, iss: 'https://self-issued.me/v2' }) },
  },
]

type CborMap = Parameters<NonNullable<Alterations['mso']>>[0]

/** Changes one map within the MSO. */
const inMso = (name: string, change: (inner: CborMap) => CborMap): Alterations => ({
  mso: (right) => {
    const inner = right.get(name)
    if (!(inner instanceof Map)) throw new Error(`The sandbox's MSO has no ${name}.`)
    return new Map(right).set(name, change(new Map(inner)))
  },
})

const kid = Buffer.from('mdocIssuer')

const mdocShapes: Shape[] = [
  {
    name: 'identifier_list in addition to status_list in the MSO',
    alterations: inMso('status', (status) =>
      status.set(
        'identifier_list',
        new Map<string, string | Uint8Array>([
          ['id', Buffer.from('4f1c')],
          ['uri', 'https://issuer.example/identifiers'],
        ]),
      ),
    ),
  },
  {
    name: 'a kid in the unprotected header of issuerAuth',
    alterations: {
      issuer_cose: (right) => ({
        ...right,
        unprotected_header: new Map(right.unprotected_header).set(4, kid),
      }),
    },
  },
  {
    name: 'a kid in the protected header of issuerAuth',
    alterations: {
      issuer_cose: (right) => ({
        ...right,
        protected_header: new Map(right.protected_header).set(4, kid),
      }),
    },
  },
  {
    name: 'x5chain as an array of one certificate',
    alterations: {
      issuer_cose: (right) => ({
        ...right,
        unprotected_header: new Map([[33, [right.unprotected_header.get(33) ?? null]]]),
      }),
    },
  },
  {
    name: 'expectedUpdate in validityInfo',
    alterations: inMso('validityInfo', (validity) =>
      validity.set('expectedUpdate', validity.get('validUntil') ?? null),
    ),
  },
  {
    name: 'no status in the MSO',
    alterations: { mso: (right) => new Map([...right].filter(([member]) => member !== 'status')) },
  },
  {
    name: 'keyAuthorizations and keyInfo in deviceKeyInfo',
    alterations: inMso('deviceKeyInfo', (info) =>
      info
        .set('keyAuthorizations', new Map([['nameSpaces', ['org.iso.18013.5.1']]]))
        .set('keyInfo', new Map([[1, 'secure element']])),
    ),
  },
  {
    name: 'a fully specified algorithm in the device signature',
    alterations: { device_cose: (right) => ({ ...right, protected_header: new Map([[1, -9]]) }) },
  },
]

const responseShapes: Shape[] = [
  { name: 'neither apu nor apv', alterations: {} },
  {
    name: 'apu from the wallet, apv from the nonce',
    alterations: {
      encryption: (right, { request }) => ({
        ...right,
        agreement: { apu: randomBytes(16), apv: Buffer.from(request.nonce) },
      }),
    },
  },
  {
    name: 'apu from the nonce, apv from the wallet',
    alterations: {
      encryption: (right, { request }) => ({
        ...right,
        agreement: { apu: Buffer.from(request.nonce), apv: randomBytes(16) },
      }),
    },
  },
  {
    name: 'A256GCM',
    alterations: {
      encryption: (right) => ({ ...right, header: { ...right.header, enc: 'A256GCM' } }),
    },
  },
  {
    name: 'typ and cty in the JWE header',
    alterations: {
      encryption: (right) => ({ ...right, header: { ...right.header, typ: 'JWT', cty: 'json' } }),
    },
  },
  {
    name: 'no state in the encrypted response',
    alterations: { parameters: ({ state: _, ...right }) => right },
  },
  {
    name: 'iss, aud and exp in the encrypted response',
    alterations: {
      parameters: (right, { now }) => ({
        ...right,
        iss: 'https://wallet.example',
        aud: 'https://verifier.example',
        exp: Math.floor(now.getTime() / 1000) + 60,
      }),
    },
  },
  {
    name: 'state as a form parameter too',
    alterations: { form: (right, { request }) => ({ ...right, state: request.state ?? '' }) },
  },
]

describe('SD-JWT VC', () => {
  test.each(sdJwtShapes)('$name: accepted', async ({ alterations }) => {
    expect(await respondWith('dc+sd-jwt', alterations)).toMatchObject(accepted)
  })

  test.each<Shape & { code: string }>([
    {
      name: 'a DID and a kid in place of x5c',
      alterations: {
        issuer_header: ({ x5c: _, ...right }) => ({ ...right, kid: 'did:web:issuer.example#key-1' }),
        issuer_payload: (right) => ({ ...right, iss: 'did:web:issuer.example' }),
      },
      code: 'issuer_untrusted',
    },
    {
      name: 'cnf with a kid and no key',
      alterations: {
        issuer_payload: (right) => ({ ...right, cnf: { kid: 'did:jwk:holder#0' } }),
      },
      code: 'holder_binding_invalid',
    },
  ])('[WRES-7] $name: refused', async ({ alterations, code }) => {
    expect(await respondWith('dc+sd-jwt', alterations)).toMatchObject({
      verification: { status: 'failed', error: { code } },
    })
  })
})

describe('mdoc', () => {
  test.each(mdocShapes)('$name: accepted', async ({ alterations }) => {
    expect(await respondWith('mso_mdoc', alterations)).toMatchObject(accepted)
  })
})

describe('responses', () => {
  test.each(responseShapes)('$name: accepted', async ({ alterations }) => {
    expect(await respondWith('dc+sd-jwt', alterations)).toMatchObject(accepted)
    expect(await respondWith('mso_mdoc', alterations)).toMatchObject(accepted)
  })

  test.each<Shape>([
    {
      name: 'a presentation that is not an array',
      alterations: {
        vp_token: (right) =>
          Object.fromEntries(
            Object.entries(right).map(([id, value]) => [id, Array.isArray(value) ? (value[0] ?? '') : value]),
          ),
      },
    },
    {
      name: 'vp_token as JSON text',
      alterations: {
        parameters: (right) => ({ ...right, vp_token: JSON.stringify(right['vp_token']) }),
      },
    },
    {
      name: 'typ vc+sd-jwt',
      alterations: { issuer_header: (right) => ({ ...right, typ: 'vc+sd-jwt' }) },
    },
  ])('[WRES-21] $name: refused, and the verification stays open', async ({ alterations }) => {
    expect(await respondWith('dc+sd-jwt', alterations)).toMatchObject({
      http_status: 400,
      verification: { status: 'pending' },
    })
  })

  test('[WRES-7] an unencrypted error with state and a description: the holder declined', async () => {
    const { verification } = await respondWith('dc+sd-jwt', {
      form: (_right, { request }) => ({
        error: 'access_denied',
        error_description: 'User declined.',
        state: request.state ?? '',
      }),
    })

    expect(verification).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
  })

  test('[WRES-5] an unencrypted error without state: refused, and the verification stays open', async () => {
    const { http_status, verification } = await respondWith('dc+sd-jwt', {
      form: () => ({ error: 'access_denied', error_uri: 'https://wallet.example/errors/1' }),
    })

    expect({ http_status, status: verification.status }).toEqual({ http_status: 400, status: 'pending' })
  })

  test('[WRES-7] an encrypted error with a description: the holder declined', async () => {
    const { verification } = await respondWith('dc+sd-jwt', {
      parameters: ({ state }) => ({
        ...(state !== undefined && { state }),
        error: 'access_denied',
        error_description: 'User declined.',
      }),
    })

    expect(verification).toMatchObject({ status: 'failed', error: { code: 'holder_declined' } })
  })

  test('an encrypted error without a reason: accepted, and the verification stays open once', async () => {
    const { http_status, verification } = await respondWith('dc+sd-jwt', {
      parameters: ({ state }) => ({ ...(state !== undefined && { state }), error: 'access_denied' }),
    })

    expect({ http_status, status: verification.status }).toEqual({ http_status: 200, status: 'pending' })
  })
})

describe('requests', () => {
  test('an empty form gets the request object', async () => {
    const { body: created } = await merchant.post('/v1/verifications', { query })
    const path = new URL(created.request_uri).pathname
    const response = await fetch(service.address + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/oauth-authz-req+jwt',
      },
    })

    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/oauth-authz-req+jwt')
  })

  test('[WRES-2] the reply to a wallet is application/json without a parameter', async () => {
    const replies: Response[] = []
    const { body: created } = await merchant.post('/v1/verifications', { query })
    const wallet = await openWallet(service.ctx, service.address, {
      onResponse: (response) => replies.push(response),
    })
    await wallet.respond(created.wallet_uri)

    expect(replies.map(({ headers }) => headers.get('content-type'))).toEqual([
      'application/oauth-authz-req+jwt',
      'application/json',
    ])
  })
})

function holderJwk(payload: Readonly<Record<string, unknown>>): Record<string, string> {
  // The sandbox binds every SD-JWT VC to a JWK.
  return (payload['cnf'] as { jwk: Record<string, string> }).jwk
}
