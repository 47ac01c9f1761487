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

test('[TRUST-3] the file names lists, their pinned signers, their environment and the services to use', () => {
  expect(read([list])).toEqual([
    { ...list, signers: [{ certificate: signer }], grace_hours: 0, hash: expect.any(Buffer) },
  ])
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
  ].map(hashOf)
  expect(new Set(hashes).size).toBe(5)
  expect(hashOf({ grace_hours: 5 })).toBe(hashes[0])
})

test.each([
  ['malformed JSON', '{', 'is not JSON'],
  ['no array of lists', {}, 'expected array'],
  ['an invalid URL', [{ ...list, url: 'lists.example' }], '0.url'],
  ['http in live', [{ ...list, url: 'http://lists.example/' }], 'must be https'],
  ['an unknown environment', [{ ...list, environment: 'prod' }], '0.environment'],
  ['no services', [{ ...list, services: [] }], '0.services'],
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
  expect(() => readListSettings(join(folder, 'absent.json'))).toThrow('absent.json, which cannot be read')
})
