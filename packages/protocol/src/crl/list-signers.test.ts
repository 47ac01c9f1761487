import { expect, test } from 'vitest'
import { makeCertificate, type IssuedCertificate } from '../../test/certificates.ts'
import { crlUri, distributionPoints, makeCrl, makeCrlFixture } from '../../test/crl.ts'
import { makeContext, makeFixture } from '../../test/fixture.ts'
import { presentSdJwt } from '../../test/sd-jwt.ts'
import { listUri, makeListJwt } from '../../test/status-list.ts'
import type { Finding, StatusListToken } from '../presentation.ts'
import { verifySdJwt } from '../sd-jwt/verify.ts'
import { checkStatus } from '../status/check.ts'
import { readCertificate } from '../x509/read-certificate.ts'

const { authority, signer } = makeCrlFixture()
const statusSigner = makeCertificate({
  issuer: authority,
  common_name: 'Status Signer',
  purposes: { critical: true, oids: ['1.3.6.1.5.5.7.3.30'] },
  extensions: [distributionPoints(crlUri)],
})

/** Checks a credential whose status list is signed by `lister`. */
async function check(lister: IssuedCertificate, crl: StatusListToken | undefined): Promise<Finding[]> {
  const lists = { [listUri]: makeListJwt(lister), ...(crl && { [crlUri]: crl }) }
  const context = makeContext([{ certificate: authority.der }], lists)
  const status = { status_list: { idx: 0, uri: listUri } }
  const fixture = { ...makeFixture(), authority, signer, context }
  const credential = verifySdJwt(presentSdJwt(fixture, { payload: { status } }), context)
  return [...credential.findings, ...(await checkStatus(credential, context))]
}

function serialOf({ der }: IssuedCertificate): string {
  const read = readCertificate(der)
  return 'value' in read ? read.value.serial : ''
}

test('a status list counts if neither its signer nor that of the credential was revoked', async () => {
  expect(await check(statusSigner, makeCrl(authority, { revoked: ['05'] }))).toEqual([])
})

test('a status list of a revoked signer fails, although the credential is not in it', async () => {
  const crl = makeCrl(authority, { revoked: [serialOf(statusSigner)] })
  expect(await check(statusSigner, crl)).toMatchObject([
    { check: 'issuer_certificate_revocation', detail: expect.stringContaining('Status Signer') },
  ])
})

test('a signer of both is reported once', async () => {
  expect(await check(signer, makeCrl(authority, { revoked: [serialOf(signer)] }))).toMatchObject([
    { check: 'issuer_certificate_revocation', detail: expect.stringContaining('Test Signer') },
  ])
  expect(await check(signer, undefined)).toMatchObject([{ check: 'issuer_certificate_crl' }])
})
