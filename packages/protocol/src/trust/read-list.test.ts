import { describe, expect, test } from 'vitest'
import { fixedNow, makeCertificate, makeKey } from '../../test/certificates.ts'
import {
  entity,
  listSigner,
  listType,
  makeTrustList,
  pidIssuance,
  pidRevocation,
  service,
  type TrustListOptions,
} from '../../test/trust-list.ts'
import type { ReadResult } from '../input-error.ts'
import { readTrustList, type TrustList, type TrustListRequest } from './read-list.ts'

const listSigning = '0.4.0.2231.3.0'
const provider = makeCertificate({ authority: true, common_name: 'Provider' })

const request: TrustListRequest = {
  signers: [{ certificate: listSigner.der }],
  type: listType,
  services: [{ service_type: pidIssuance, document_types: ['urn:eudi:pid:1'] }],
  last_sequence_number: 7,
  last_issued_at: fixedNow - 3600,
  now: fixedNow,
}

const read = (
  options: TrustListOptions = {},
  change: Partial<TrustListRequest> = {},
): Promise<ReadResult<TrustList>> => readTrustList(makeTrustList(options), { ...request, ...change })

describe('[TRUST-3] a list of trusted entities (ETSI TS 119 602)', () => {
  test('returns the certificates of the requested services, with their document types', async () => {
    const entities = [
      entity('Ministry', service(pidIssuance, [provider]), service(pidRevocation, [makeCertificate()])),
    ]
    expect(await read({ entities })).toEqual({
      value: {
        anchors: [
          {
            certificate: provider.der,
            entity: 'Ministry',
            service_type: pidIssuance,
            role: 'issuing',
            document_types: ['urn:eudi:pid:1'],
          },
        ],
        sequence_number: 7,
        issued_at: fixedNow - 3600,
        next_update: fixedNow + 3600,
      },
    })
  })

  test('skips a withdrawn service', async () => {
    const status = (name: string): string => `http://uri.etsi.org/19602/PubEAAProvidersList/SvcStatus/${name}`
    const anchors = async (name?: string): Promise<number> => {
      const list = await read({
        entities: [entity('E', service(pidIssuance, [provider], name && status(name)))],
      })
      return 'value' in list ? list.value.anchors.length : -1
    }
    expect(await Promise.all(['notified', 'withdrawn', 'suspended', undefined].map(anchors))).toEqual([
      1, 0, 0, 1,
    ])
  })

  test('skips an unreadable certificate and keeps the others', async () => {
    const entities = [entity('E', service(pidIssuance, ['nonsense', 'AAAA', provider])), null, 'x', {}]
    expect(await read({ entities })).toMatchObject({ value: { anchors: [{ certificate: provider.der }] } })
  })

  test('may be signed under a pinned authority, and with RSA', async () => {
    const authority = makeCertificate({ authority: true })
    const purposes = { critical: false, oids: [listSigning] }
    const key = makeCertificate({ issuer: authority, key: makeKey('RSA'), purposes })
    expect(await read({ key }, { signers: [{ certificate: authority.der }] })).toMatchObject({ value: {} })
  })

  test('may be signed with a key for non-repudiation, and with none for certificates', async () => {
    const pinned = (usage: number) => {
      const key = makeCertificate({ usage })
      return read({ key }, { signers: [{ certificate: key.der }] })
    }
    expect(await pinned(0x40)).toMatchObject({ value: {} })
    expect(await pinned(0x04)).toEqual({ error: expect.stringContaining('may not sign') })
  })

  test('may have the same sequence number as the last copy, or a higher one', async () => {
    expect(await read({ scheme: { LoTESequenceNumber: 8 } })).toMatchObject({ value: { sequence_number: 8 } })
    expect(await read({}, { now: fixedNow + 3599 })).toMatchObject({ value: {} })
  })
})

describe('the entries of a list have roles and entities', () => {
  const wrprc = 'http://uri.etsi.org/19602/SvcType/WRPRC/Issuance'
  const anchors = async (entities: unknown, services: TrustListRequest['services']) => {
    const list = await read({ entities }, { services })
    if ('error' in list) throw new Error(list.error)
    return list.value.anchors.map(({ role, entity: name }) => `${role} ${name}`)
  }

  test.each([
    [pidIssuance, 'issuing'],
    [pidRevocation, 'revocation'],
    ['http://trust.ec.europa.eu/lists/mDL/SvcType/Revocation', 'revocation'],
    [wrprc, 'registration'],
    ['http://uri.etsi.org/19602/SvcType/WRPRC/Revocation', 'revocation'],
    ['https://national.example/issuers', 'issuing'],
  ])('%s: %s', async (type, role) => {
    const listed = [entity('E', service(type, [provider]))]
    expect(await anchors(listed, [{ service_type: type }])).toEqual([`${role} E`])
    expect(await anchors(listed, [{ service_type: type, role: 'list_signing' }])).toEqual(['list_signing E'])
  })

  test.each(['WalletSolution/Issuance', 'WRPAC/Issuance', 'WRPAC/Revocation', 'Register'])(
    '%s: none, unless the settings name one',
    async (name) => {
      const type = `http://uri.etsi.org/19602/SvcType/${name}`
      const listed = [entity('E', service(type, [provider]))]
      expect(await anchors(listed, [{ service_type: type }])).toEqual([])
      expect(await anchors(listed, [{ service_type: type, role: 'registration' }])).toEqual([
        'registration E',
      ])
    },
  )

  test('an entity is known by its registered identifier, or by its name', async () => {
    const withTradeNames = (...names: string[]) => {
      const TETradeName = names.map((value) => ({ lang: 'en', value }))
      const { TrustedEntityInformation, ...services } = entity('E', service(pidIssuance, [provider]))
      return { ...services, TrustedEntityInformation: { ...TrustedEntityInformation, TETradeName } }
    }
    const services = [{ service_type: pidIssuance }]
    expect(await anchors([withTradeNames('Trading Co', 'NTRNL-1234')], services)).toEqual([
      'issuing NTRNL-1234',
    ])
    expect(await anchors([withTradeNames('Trading Co')], services)).toEqual(['issuing E'])
    expect(await anchors([{ ...withTradeNames(), TrustedEntityInformation: 7 }], services)).toEqual([
      'issuing undefined',
    ])
  })

  test('two entries of one name are two entities', async () => {
    const one = service(pidIssuance, [provider])
    const two = service(pidRevocation, [provider])
    const services = [{ service_type: pidIssuance }, { service_type: pidRevocation }]
    expect(await anchors([entity('E', one, two)], services)).toEqual(['issuing E', 'revocation E'])
    const names = await anchors([entity('E', one), entity('E', two), entity('E (1)', two)], services)
    expect(new Set(names.map((name) => name.replace(/^\w+ /, ''))).size).toBe(3)
  })
})

describe('[TRUST-3] a list of trusted entities is refused', () => {
  const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()
  const refused: [string, TrustListOptions, string][] = [
    ['from a signer that is not pinned', { key: makeCertificate() }, 'not trusted'],
    [
      'with the signature of another key',
      { key: { ...makeCertificate(), der: listSigner.der } },
      'signature',
    ],
    ['with alg none', { header: { alg: 'none' } }, 'signature'],
    ['with an unknown critical extension', { header: { crit: ['sigD'], sigD: {} } }, 'signature'],
    ['without a certificate', { header: { x5c: undefined } }, 'not trusted'],
    ['of another type', { scheme: { LoTEType: 'http://uri.etsi.org/19602/LoTEType/Other' } }, 'another type'],
    ['of another version', { scheme: { LoTEVersionIdentifier: 2 } }, 'version'],
    ['that is older than the last', { scheme: { LoTESequenceNumber: 6 } }, 'older'],
    ['issued before the last', { scheme: { ListIssueDateTime: iso(fixedNow - 3601) } }, 'older'],
    [
      'issued before the last, with a higher number',
      { scheme: { LoTESequenceNumber: 8, ListIssueDateTime: iso(fixedNow - 3601) } },
      'older',
    ],
    ['without a number', { scheme: { LoTESequenceNumber: '7' } }, 'sequence number'],
    ['that has expired', { scheme: { NextUpdate: iso(fixedNow) } }, 'expired'],
    ['issued in the future', { scheme: { ListIssueDateTime: iso(fixedNow + 301) } }, 'future'],
    ['without dates', { scheme: { NextUpdate: undefined } }, 'NextUpdate'],
  ]
  test.each(refused)('%s', async (_, options, why) => {
    expect(await read(options)).toEqual({ error: expect.stringContaining(why) })
  })

  test.each([
    ['no purpose', undefined],
    ['the purpose of TLS servers', ['1.3.6.1.5.5.7.3.1']],
    ['the purpose of mdoc readers', ['1.0.18013.5.1.6']],
    ['the purpose of document signers', ['1.0.18013.5.1.2']],
    ['the purpose of VICAL signers', ['1.0.18013.5.1.8']],
    ['any purpose', ['2.5.29.37.0']],
  ])('from a signer of a pinned authority with %s', async (_, oids) => {
    const authority = makeCertificate({ authority: true })
    const purposes = oids && { critical: false, oids }
    const key = makeCertificate({ issuer: authority, ...(purposes && { purposes }) })
    const signers = [{ certificate: authority.der }]
    expect(await read({ key }, { signers })).toEqual({
      error: expect.stringContaining('does not name the purpose of signing trust lists'),
    })
    // It may be pinned itself.
    expect(await read({ key }, { signers: [{ certificate: key.der }] })).toMatchObject({ value: {} })
  })

  test('if it was altered', async () => {
    const [header, payload = '', signature] = makeTrustList().split('.')
    const forged = Buffer.from(payload, 'base64url')
      .toString()
      .replace('"LoTESequenceNumber":7', '"LoTESequenceNumber":9')
    const token = [header, Buffer.from(forged).toString('base64url'), signature].join('.')
    expect(await readTrustList(token, request)).toEqual({ error: expect.stringContaining('signature') })
  })

  test('if it is not a trust list', async () => {
    for (const token of ['', 'x.y.z', '{}', 'e30.e30.AA']) {
      expect(await readTrustList(token, request)).toEqual({ error: expect.any(String) })
    }
  })
})
