import { describe, expect, test } from 'vitest'
import { fixedNow, makeCertificate } from '../../test/certificates.ts'
import { listSigner, listType, makeTrustList } from '../../test/trust-list.ts'
import { readTrustList } from './read-list.ts'
import { pointerLimits } from './read-pointers.ts'
import { readTrustServices, type TrustServiceList } from './read-trust-services.ts'

const signer = makeCertificate({ common_name: 'Signer of a state' })
const signerText = signer.der.toString('base64')
const followed = 'https://list.example/type'
const location = 'https://lists.example/de'

type Links = { territory?: string; follows?: boolean }
type Entry = {
  location?: unknown
  type?: unknown
  territory?: unknown
  media?: unknown
  certificates?: unknown[]
}

const toRequest = ({ follows = true, ...request }: Links) => ({
  ...request,
  ...(follows && { follow: { type: followed } }),
})

/** Each form with the right pointer, except for what an entry changes. */
const forms = {
  async json(entries: Entry[], links: Links = {}, member = 'PointersToOtherLoTE') {
    const pointers = entries.map((entry) => ({
      LoTELocation: 'location' in entry ? entry.location : location,
      ServiceDigitalIdentities: [
        { X509Certificates: (entry.certificates ?? [signerText]).map((val) => ({ val })) },
      ],
      LoTEQualifiers: [
        {
          LoTEType: 'type' in entry ? entry.type : followed,
          SchemeTerritory: 'territory' in entry ? entry.territory : 'DE',
          MimeType: 'media' in entry ? entry.media : 'application/jose',
        },
      ],
    }))
    return readTrustList(makeTrustList({ scheme: { SchemeTerritory: 'EU', [member]: pointers } }), {
      signers: [{ certificate: listSigner.der }],
      type: listType,
      services: [],
      now: fixedNow,
      ...toRequest(links),
    })
  },
  async xml(entries: Entry[], links: Links = {}) {
    const text = (value: unknown) => (typeof value === 'string' ? value : '')
    const list: TrustServiceList = {
      version: '6',
      type: listType,
      sequence_number: '7',
      issued_at: new Date((fixedNow - 3600) * 1000).toISOString(),
      next_update: new Date((fixedNow + 3600) * 1000).toISOString(),
      territory: 'EU',
      pointers: entries.map((entry) => ({
        location: text('location' in entry ? entry.location : location),
        type: text('type' in entry ? entry.type : followed),
        territory: text('territory' in entry ? entry.territory : 'DE'),
        media_type: text('media' in entry ? entry.media : 'application/vnd.etsi.tsl+xml'),
        certificates: (entry.certificates ?? [signerText]).map(text),
      })),
      providers: [],
    }
    return readTrustServices(list, {
      type: listType,
      services: [],
      now: fixedNow,
      ...toRequest(links),
    })
  },
}

describe.each(['json', 'xml'] as const)('pointers of a list in %s', (form) => {
  const read = forms[form]
  const pointers = async (...entries: Entry[]) => {
    const list = await read(entries)
    return 'value' in list ? list.value.pointers : list.error
  }

  test('name lists, their territories and their signers', async () => {
    const lines = signerText.replaceAll(/.{64}/g, '$&\n')
    expect(
      await pointers({ certificates: ['nonsense', lines] }, { location: 'https://lists.example' }),
    ).toEqual([
      { url: location, territory: 'DE', signers: [signer.der] },
      { url: 'https://lists.example/', territory: 'DE', signers: [signer.der] },
    ])
  })

  test.each<[string, Entry]>([
    ['of another type', { type: 'https://list.example/other' }],
    ['without a type', { type: undefined }],
    ['in another form', { media: 'application/pdf' }],
    ['without a form', { media: undefined }],
    ['without a territory', { territory: undefined }],
    ['without a certificate', { certificates: [] }],
    ['with a certificate that cannot be read', { certificates: ['AAAA', 7] }],
    ['to no URL', { location: 7 }],
    ['to a file', { location: 'file:///etc/passwd' }],
    ['to a URL that is too long', { location: `https://lists.example/${'a'.repeat(2048)}` }],
    [
      'to the same list with another signer',
      { location, certificates: [makeCertificate().der.toString('base64')] },
    ],
  ])('%s are skipped', async (_, entry) => {
    expect(await pointers({}, entry)).toEqual([{ url: location, territory: 'DE', signers: [signer.der] }])
  })

  test('are not read unless they are followed', async () => {
    const list = await read([{}], { follows: false })
    expect(list).toEqual({ value: expect.not.objectContaining({ pointers: expect.anything() }) })
  })

  test('are limited, and so are their signers', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ location: `https://lists.example/${at}` }))
    expect(await pointers(...many(pointerLimits.maxPointers))).toHaveLength(pointerLimits.maxPointers)
    expect(await pointers(...many(pointerLimits.maxPointers + 1))).toContain('too many lists')
    const signers = Array.from({ length: pointerLimits.maxSigners + 1 }, () => signerText)
    expect(await pointers({ certificates: signers })).toContain('too many signers')
  })

  test('demand a list of their territory', async () => {
    expect(await read([], { territory: 'EU' })).toMatchObject({ value: {} })
    expect(await read([], { territory: 'DE' })).toEqual({
      error: expect.stringContaining('another territory'),
    })
  })
})

test("pointers are found under the EU library's name too, and what is none is skipped", async () => {
  expect(await forms.json([{}], {}, 'PointerToOtherLoTE')).toMatchObject({
    value: { pointers: [{ url: location }] },
  })
  for (const scheme of [
    { PointersToOtherLoTE: 7 },
    { PointersToOtherLoTE: [null, 7, {}, { LoTEQualifiers: [7] }] },
  ]) {
    const token = makeTrustList({ scheme })
    const signers = [{ certificate: listSigner.der }]
    const request = { signers, type: listType, services: [], now: fixedNow, follow: { type: followed } }
    expect(await readTrustList(token, request)).toMatchObject({ value: { pointers: [] } })
  }
})
