import { sign as createSignature } from 'node:crypto'
import { createListOperator, trustedListType, writeTrustedList } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { SignedXml } from 'xml-crypto'
import { makeCertificate, makeKey, pem } from '../../../../../../packages/protocol/test/certificates.ts'
import { newAuthority } from '../../../../test/trust/authorities.ts'
import { canonicalize, listChildren, parseXml } from './dom.ts'
import { readXmlList } from './read-xml-list.ts'

const now = Date.UTC(2026, 5, 1) / 1000
const qeaa = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'
const unsigned = writeTrustedList(
  createListOperator({ name: 'Operator', now: new Date() }),
  {
    sequence_number: 4,
    issued_at: new Date((now - 60) * 1000),
    next_update: new Date((now + 60) * 1000),
    providers: [
      { name: 'Provider', services: [{ type: qeaa, certificates: [newAuthority('Root').certificate] }] },
    ],
  },
  'no_signature',
)
const signer = makeCertificate({ common_name: 'Operator', key: makeKey('RSA') })
const request = {
  type: trustedListType,
  services: [{ service_type: qeaa }],
  signers: [{ certificate: signer.der }],
  now,
}
const dsig = 'http://www.w3.org/2000/09/xmldsig#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

type SignOptions = { method?: string; digest?: string; transforms?: string[]; xpath?: string }

/** A list that xml-crypto has signed. */
function sign({
  method = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  digest = 'http://www.w3.org/2001/04/xmlenc#sha256',
  transforms = [enveloped, exclusive],
  xpath,
}: SignOptions): Buffer {
  const signature = new SignedXml({
    privateKey: signer.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    publicCert: pem(signer),
    signatureAlgorithm: method,
    canonicalizationAlgorithm: exclusive,
  })
  signature.addReference({
    xpath: xpath ?? '/*',
    transforms,
    digestAlgorithm: digest,
    ...(xpath === undefined && { isEmptyUri: true }),
  })
  signature.computeSignature(unsigned)
  return Buffer.from(signature.getSignedXml())
}

test.each<[string, SignOptions]>([
  ['RSA with SHA-256', {}],
  ['RSA with SHA-512', { method: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512' }],
  ['RSASSA-PSS with SHA-256', { method: 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1' }],
  ['digests with SHA-512', { digest: 'http://www.w3.org/2001/04/xmlenc#sha512' }],
])('a list that another program signed is read: %s', (_what, options) => {
  expect(readXmlList(sign(options), request)).toMatchObject({
    value: { sequence_number: 4, anchors: [{ entity: 'Provider' }] },
  })
})

test('a digest may be written in several lines, as encoders of base64 do', () => {
  const inOneLine = sign({ digest: 'http://www.w3.org/2001/04/xmlenc#sha512' }).toString()
  const wrapped = inOneLine.replace(/(?<=<DigestValue>)(.{76})/, '$1\n  ')
  expect(wrapped).not.toBe(inOneLine)
  // The digest is part of what is signed.
  const [signature] = listChildren(parseXml(wrapped), dsig, 'Signature')
  const [info] = listChildren(signature, dsig, 'SignedInfo')
  if (info === undefined) throw new Error('the list is signed')
  const value = createSignature('sha256', Buffer.from(canonicalize(info)), signer.privateKey).toString(
    'base64',
  )
  const signedAgain = wrapped.replace(/(?<=<SignatureValue>)[^<]*/, value)
  expect(readXmlList(Buffer.from(signedAgain), request)).toMatchObject({ value: { sequence_number: 4 } })
  const [before = '', after = ''] = signedAgain.split('<DigestValue>')
  const changed = `${after.startsWith('A') ? 'B' : 'A'}${after.slice(1)}`
  expect(readXmlList(Buffer.from(`${before}<DigestValue>${changed}`), request)).toEqual({
    error: expect.any(String),
  })
})

test.each<[string, SignOptions, string]>([
  ['RSA with SHA-1', { method: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }, 'not accepted'],
  ['digests with SHA-1', { digest: 'http://www.w3.org/2000/09/xmldsig#sha1' }, 'not accepted'],
  ['a reference to a part', { xpath: "//*[local-name(.)='SchemeInformation']" }, 'does not cover'],
  ['only the enveloped transform', { transforms: [enveloped] }, 'does not cover'],
  ['comments', { transforms: [enveloped, `${exclusive}WithComments`] }, 'does not cover'],
])('a list that another program signed with %s is refused', (_what, options, why) => {
  expect(readXmlList(sign(options), request)).toEqual({ error: expect.stringContaining(why) })
})

test('a list is refused after any change of the signed document', () => {
  const signed = sign({}).toString()
  expect(readXmlList(Buffer.from(signed), request)).toMatchObject({ value: {} })
  const changes: [string, string][] = [
    ['Svcstatus/granted', 'Svcstatus/withdrawn'],
    ['<TSLSequenceNumber>4<', '<TSLSequenceNumber>5<'],
    ['>Provider<', '>Provider <'],
    ['</TrustServiceProviderList', '<TrustServiceProvider/></TrustServiceProviderList'],
    ['URI=""', 'URI="#trusted-list"'],
    ['<SignatureValue>', '<SignatureValue>AAAA'],
  ]
  for (const [before, after] of changes) {
    expect(signed).toContain(before)
    expect(readXmlList(Buffer.from(signed.replace(before, after)), request)).toEqual({
      error: expect.any(String),
    })
  }
})
