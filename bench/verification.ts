import { checkStatus } from '../packages/protocol/src/status/check.ts'
import type { PresentedCredential } from '../packages/protocol/src/presentation.ts'
import { verifyMdoc } from '../packages/protocol/src/mdoc/verify.ts'
import { verifySdJwt } from '../packages/protocol/src/sd-jwt/verify.ts'
import { presentMdoc } from '../packages/protocol/test/mdoc.ts'
import { presentSdJwt } from '../packages/protocol/test/sd-jwt.ts'
import { listUri, makeListJwt } from '../packages/protocol/test/status-list.ts'
import { makeContext, makeFixture, type CredentialFixture } from '../packages/protocol/test/fixture.ts'
import { cborMap } from '../packages/protocol/test/cbor.ts'
import { verifyCredential } from './bare-cryptography.ts'
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

/** Full verification of an SD-JWT VC, with its certificate and status list cached, compared with its cryptography alone. */
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
  { context }: CredentialFixture,
  verifyOnce: () => PresentedCredential,
): Promise<Figure> {
  const full = async (): Promise<void> => {
    const credential = verifyOnce()
    const findings = [...credential.findings, ...(await checkStatus(credential, context))]
    if (findings.length > 0) throw new Error(`${name}: ${JSON.stringify(findings)}`)
  }
  await rate(full)
  const rates = { full: [] as number[], bare: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    rates.bare.push(await rate(verifyCredential))
    rates.full.push(await rate(full))
  }
  return compare(name, '1/s', { values: rates.full, bare: rates.bare })
}

/** Calls per second of this process's CPU time, so that other load on the machine does not count. */
export async function rate(call: () => Promise<void> | void): Promise<number> {
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
