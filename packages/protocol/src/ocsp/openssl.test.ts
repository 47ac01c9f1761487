import { afterAll, expect, test } from 'vitest'
import { makeCertificate, year_seconds, type IssuedCertificate } from '../../test/certificates.ts'
import { makeContext } from '../../test/fixture.ts'
import { noCheck, ocspSigningOid, ocspUri, responders } from '../../test/ocsp.ts'
import { openOpensslResponder } from '../../test/openssl-responder.ts'
import { checkPathRevocation } from '../crl/check.ts'
import { readCertificate, type Certificate } from '../x509/read-certificate.ts'
import { readOcspUri } from './request.ts'

/** OpenSSL uses the clock of this machine. */
const now = Math.floor(Date.now() / 1000)
const validity = { valid_from: now - year_seconds, valid_until: now + year_seconds }
const authority = makeCertificate({ ...validity, authority: true, common_name: 'Test Authority' })
const newSigner = () => makeCertificate({ ...validity, issuer: authority, extensions: [responders(ocspUri)] })
const signers = { good: newSigner(), revoked: newSigner(), unknown: newSigner() }

const responder = openOpensslResponder(authority, {
  good: [read(signers.good).serial],
  revoked: [read(signers.revoked).serial],
})
afterAll(() => responder[Symbol.dispose]())

function read({ der }: { der: Buffer }): Certificate {
  const certificate = readCertificate(der)
  if ('error' in certificate) throw new Error(certificate.error)
  return certificate.value
}

async function check(signer: IssuedCertificate, options?: Parameters<typeof responder.respond>[1], at = now) {
  const { trust } = makeContext([])
  const lookUpStatus = async (uri: string) => {
    const { request } = readOcspUri(uri) ?? {}
    if (request === undefined) throw new Error(`${uri} has no request`)
    return { token: responder.respond(request, options), media: 'ocsp' as const }
  }
  const findings = await checkPathRevocation([signer, authority].map(read), {
    trust: { ...trust, lookUpStatus },
    now: at,
  })
  return findings.map(({ check: name, detail }) => `${name}: ${detail}`)
}

const delegate = (purpose: string) =>
  makeCertificate({
    ...validity,
    issuer: authority,
    common_name: 'Responder',
    purposes: { critical: false, oids: [purpose] },
    extensions: [noCheck],
  })

test("OpenSSL's responder understands the requests, and its responses are understood", async () => {
  expect(await check(signers.good)).toEqual([])
  expect(await check(signers.good, { arguments: ['-nmin', '5', '-resp_key_id'] })).toEqual([])
  expect(await check(signers.revoked)).toEqual([expect.stringMatching(/^issuer_certificate_revocation: /)])
  expect(await check(signers.unknown)).toEqual([expect.stringContaining('does not know')])
})

test('and so is one with a certificate of its own, if it is for that', async () => {
  const by = delegate(ocspSigningOid)
  for (const more of [
    ['-nmin', '5'],
    ['-nmin', '5', '-resp_key_id'],
  ]) {
    expect(await check(signers.good, { by, arguments: more })).toEqual([])
    expect(await check(signers.revoked, { by, arguments: more })).toHaveLength(1)
  }
  expect(await check(signers.good, { by: delegate('1.3.6.1.5.5.7.3.1') })).toEqual([
    expect.stringContaining('not certified for that'),
  ])
  expect(await check(signers.good, { by, arguments: ['-resp_no_certs'] })).toEqual([
    expect.stringContaining('somebody else'),
  ])
})

test('a response without nextUpdate expires in an hour, one with it then', async () => {
  expect(await check(signers.good, { arguments: [] }, now + 3000)).toEqual([])
  expect(await check(signers.good, { arguments: [] }, now + 3700)).toEqual([
    expect.stringContaining('expired'),
  ])
  expect(await check(signers.good, {}, now + 86_000)).toEqual([])
  expect(await check(signers.good, {}, now + 86_500)).toEqual([expect.stringContaining('expired')])
})
