import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newAuthority, joinPem } from '../../../test/trust/authorities.ts'
import { readListSettings } from './read-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const signer = newAuthority('List Operator').certificate
const list = {
  url: 'https://lists.example/pid.jwt',
  environment: 'live',
  type: 'http://uri.etsi.org/19602/LoTEType/EUPIDProvidersList',
  services: [
    { service_type: 'http://uri.etsi.org/19602/SvcType/PID/Issuance', document_types: ['urn:eudi:pid:1'] },
  ],
  signers: joinPem(signer),
}

function read(content: unknown) {
  const file = join(folder, 'lists.json')
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return readListSettings(file)
}

const { url, environment, type, services } = list
const vicalOf = ({ signers }: typeof list) => ({ url, environment, format: 'vical', signers })
const common = {
  url,
  environment,
  signers: [{ certificate: signer }],
  grace_hours: 0,
  hash: expect.any(Buffer),
}

test('[TRUST-3] the file names lists, their pinned signers, their environment and the services to use', () => {
  expect(read([list])).toEqual([{ ...common, reading: { format: 'lote', type, services } }])
})

test('a list may be a VICAL or an XML list', () => {
  const vical = vicalOf(list)
  const mdl = { document_types: ['org.iso.18013.5.1.mDL'], max_age_days: 7 }
  expect(read([{ ...list, format: 'xml' }])).toEqual([
    { ...common, reading: { format: 'xml', type, services } },
  ])
  expect(read([vical])).toEqual([{ ...common, reading: { format: 'vical', max_age_seconds: 30 * 86_400 } }])
  expect(read([{ ...vical, ...mdl }])).toEqual([
    {
      ...common,
      reading: { format: 'vical', document_types: mdl.document_types, max_age_seconds: 7 * 86_400 },
    },
  ])
})

test('a list may point to others, beside its services or instead of them', () => {
  const follow = { type: 'another', services }
  const { services: _, ...without } = list
  const reading = { format: 'lote', type, follow }
  expect(read([{ ...list, follow }])).toEqual([{ ...common, reading: { ...reading, services } }])
  expect(read([{ ...without, follow }])).toEqual([{ ...common, reading: { ...reading, services: [] } }])
})

test('signers may be in a PEM file next to it', () => {
  writeFileSync(join(folder, 'signers.pem'), joinPem(signer))
  expect(read([{ ...list, signers: 'signers.pem' }])[0]?.signers).toEqual([{ certificate: signer }])
})

test('the hash differs for settings that take different anchors from a list', () => {
  const hashOf = (more: object) => read([{ ...list, ...more }])[0]?.hash.toString('hex')
  const hashes = [
    {},
    { type: 'another' },
    { services: [{ service_type: 'another' }] },
    { services: [{ ...list.services[0], role: 'revocation' }] },
    { signers: joinPem(newAuthority('Another').certificate) },
    { format: 'xml' },
    { follow: { type: 'another', services: list.services } },
    { follow: { type: 'other', services: list.services } },
  ].map(hashOf)
  expect(new Set(hashes).size).toBe(8)
  expect(hashOf({ grace_hours: 5 })).toBe(hashes[0])
})

test.each([
  ['malformed JSON', '{', 'is not JSON'],
  ['no array of lists', {}, 'expected array'],
  ['an invalid URL', [{ ...list, url: 'lists.example' }], '0.url'],
  ['http in live', [{ ...list, url: 'http://lists.example/' }], 'must be https'],
  ['an unknown environment', [{ ...list, environment: 'prod' }], '0.environment'],
  ['no services', [{ ...list, services: [] }], '0.services'],
  ['neither services nor lists to follow', [{ ...list, services: undefined }], 'needs services, or follow'],
  ['lists to follow without services', [{ ...list, follow: { type: 'a' } }], '0.follow.services'],
  [
    'lists to follow with no services',
    [{ ...list, follow: { type: 'a', services: [] } }],
    '0.follow.services',
  ],
  ['lists to follow without a type', [{ ...list, follow: { services } }], '0.follow.type'],
  [
    'a service of lists to follow that has no role',
    [
      {
        ...list,
        follow: { type, services: [{ service_type: 'http://uri.etsi.org/19602/SvcType/Register' }] },
      },
    ],
    'needs a role',
  ],
  ['a VICAL to follow', [{ ...vicalOf(list), follow: { type, services } }], 'follow'],
  ['an unknown role', [{ ...list, services: [{ service_type: 'a', role: 'x' }] }], '0.services.0.role'],
  [
    'a service that has no role',
    [{ ...list, services: [{ service_type: 'http://uri.etsi.org/19602/SvcType/WRPAC/Issuance' }] }],
    'needs a role',
  ],
  ['an unknown member', [{ ...list, signer: 'typo' }], 'signer'],
  ['the same list twice', [list, list], 'listed twice'],
  ['a missing signer file', [{ ...list, signers: 'absent.pem' }], 'absent.pem cannot be read'],
  ['signers without a certificate', [{ ...list, signers: '-----BEGIN PRIVATE KEY-----' }], 'no certificate'],
  ['an unknown format', [{ ...list, format: 'csv' }], '0.format'],
  ['a VICAL with services', [{ ...list, format: 'vical' }], 'services'],
  ['too much grace', [{ ...list, grace_hours: 169 }], '0.grace_hours'],
])('a file with %s is refused, and the mistake is named', (_what, content, words) => {
  expect(() => read(content)).toThrow(words)
})

test('every mistake is reported at once', () => {
  const wrong = [
    { ...list, signers: 'absent.pem' },
    { ...list, url: 'http://lists.example/' },
  ]
  expect(() => read(wrong)).toThrow(/absent\.pem[\s\S]*must be https/)
  expect(() => readListSettings(join(folder, 'absent.json'))).toThrow('absent.json, which does not exist')
})
