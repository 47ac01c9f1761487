import { describe, expect, test } from 'vitest'
import { makeCertificate, pem } from '../../test/certificates.ts'
import { readPemAnchors } from './read-pem.ts'

const first = makeCertificate({ authority: true })
const second = makeCertificate({ authority: true })

describe('[TRUST-3] a PEM file', () => {
  test('returns all certificates, ignoring text between them', () => {
    const text = `# our authorities\n${pem(first)}\nand\r\n${pem(second).replaceAll('\n', '\r\n')}`
    expect(readPemAnchors(text)).toEqual({ value: [{ certificate: first.der }, { certificate: second.der }] })
  })

  test('returns them with document types', () => {
    const anchors = readPemAnchors(pem(first), ['urn:eudi:pid:1'])
    expect(anchors).toEqual({ value: [{ certificate: first.der, document_types: ['urn:eudi:pid:1'] }] })
  })

  test.each([
    ['nothing', ''],
    ['a key', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'],
    ['an invalid certificate', `${pem(first)}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----`],
    ['a certificate that is not base64', '-----BEGIN CERTIFICATE-----\nA=A\n-----END CERTIFICATE-----'],
    ['more than 2 MiB', ' '.repeat(2 * 1024 * 1024 + 1)],
    ['more than 500 certificates', pem(first).repeat(501)],
  ])('with %s is refused completely', (_, text) => {
    expect(readPemAnchors(text)).toEqual({ error: expect.any(String) })
  })
})
