import { createPublicKey, verify } from 'node:crypto'
import { checkStatus } from '../packages/protocol/src/status/check.ts'
import type { PresentedCredential } from '../packages/protocol/src/presentation.ts'
import { verifyMdoc } from '../packages/protocol/src/mdoc/verify.ts'
import { verifySdJwt } from '../packages/protocol/src/sd-jwt/verify.ts'
import { presentMdoc } from '../packages/protocol/test/mdoc.ts'
import { presentSdJwt } from '../packages/protocol/test/sd-jwt.ts'
import { publicJwk, signBytes } from '../packages/protocol/test/sign.ts'
import { listUri, makeListJwt } from '../packages/protocol/test/status-list.ts'
import { makeContext, makeFixture, type CredentialFixture } from '../packages/protocol/test/fixture.ts'
import { cborMap } from '../packages/protocol/test/cbor.ts'
import { compare, type Bench, type Figure } from './figure.ts'

const rounds = 7
const round_ms = 400

const claims = {
  family_name: 'Mustermann',
  given_name: 'Erika',
  birth_date: '1984-01-26',
  issuing_country: 'UT',
  age_over_18: true,
  document_number: '123456789',
  resident_city: 'Berlin',
  resident_postal_code: '10115',
}

/** Full verification of an SD-JWT VC, with its certificate and status list cached, compared with its two signature checks alone. */
export const sdJwt: Bench = async () => {
  const fixture = fixtureWithStatus()
  const status = { status_list: { idx: 4711, uri: listUri } }
  const presentation = presentSdJwt(fixture, { claims, payload: { status } })
  return [await measure('protocol.sd_jwt', fixture, () => verifySdJwt(presentation, fixture.context))]
}

/** The same for an mdoc. */
export const mdoc: Bench = async () => {
  const fixture = fixtureWithStatus()
  const status = cborMap({ status_list: cborMap({ idx: 4711, uri: listUri }) })
  const presentation = presentMdoc(fixture, { elements: claims, mso: { status } })
  return [await measure('protocol.mdoc', fixture, () => verifyMdoc(presentation, fixture.context))]
}

function fixtureWithStatus(): CredentialFixture {
  const fixture = makeFixture()
  const list = makeListJwt(fixture.signer, { bytes: Buffer.alloc(1024 * 1024) })
  return { ...fixture, context: makeContext([{ certificate: fixture.authority.der }], { [listUri]: list }) }
}

async function measure(
  name: string,
  fixture: CredentialFixture,
  verifyOnce: () => PresentedCredential,
): Promise<Figure> {
  const full = async (): Promise<void> => {
    const credential = verifyOnce()
    const findings = [...credential.findings, ...(await checkStatus(credential, fixture.context))]
    if (findings.length > 0) throw new Error(`${name}: ${JSON.stringify(findings)}`)
  }
  const bareVerification = bareVerifications(fixture)
  await rate(full)
  const rates = { full: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await rate(bareVerification))
    rates.full.push(await rate(full))
  }
  return compare(name, '1/s', { values: rates.full, bare: rates.bare })
}

/**
 * The minimum work of any verifier: checking the issuer's signature with a cached key, and the holder's with a key that is
 * new in every response and must be imported from its JWK.
 */
function bareVerifications({ signer, holder }: CredentialFixture): () => Promise<void> {
  const message = Buffer.alloc(1200, 7)
  const dsaEncoding = 'ieee-p1363'
  const issuer = {
    key: { key: signer.publicKey, dsaEncoding },
    signature: signBytes(signer, message),
  } as const
  const jwk = publicJwk(holder)
  const signature = signBytes(holder, message)
  return async () => {
    const genuine = verify('sha256', message, issuer.key, issuer.signature)
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    if (!genuine || !verify('sha256', message, { key, dsaEncoding }, signature))
      throw new Error('a valid signature was rejected')
  }
}

/** Calls per second of this process's CPU time, so that other load on the machine does not count. */
export async function rate(call: () => Promise<void>): Promise<number> {
  const began = process.cpuUsage()
  let calls = 0
  for (let spent_us = 0; spent_us < round_ms * 1000; spent_us = cpuTime(began)) {
    for (let turn = 0; turn < 20; turn += 1) await call()
    calls += 20
  }
  return (calls / cpuTime(began)) * 1e6
}

export function cpuTime(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}
