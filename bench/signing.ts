import { createPrivateKey, randomBytes } from 'node:crypto'
import { createSoftHsm } from '../apps/service/test/signing/soft-hsm.ts'
import { newAccessCertificate } from '../apps/service/test/trust/access-certificate.ts'
import { type Signer, openHsmSigner, openKeySigner } from '../apps/service/src/engine/keyring/signer.ts'
import { openHsm } from '../apps/service/src/engine/keyring/hsm/open-hsm.ts'
import { readPkcs11Uri } from '../apps/service/src/engine/keyring/hsm.ts'
import { openLog } from '../apps/service/src/engine/observability/log.ts'
import { compare, type Bench } from './figure.ts'

const rounds = 5
const signatures = 2000
const concurrency = 16
const message = randomBytes(3000)

/** Signatures a second of a key in SoftHSM, compared with the same key in memory. Needs Debian's softhsm2 and `npm run pkcs11`. */
const token: Bench = async () => {
  using hsm = createSoftHsm()
  const { key } = newAccessCertificate()
  hsm.importKey('access', key, '01')
  const read = readPkcs11Uri(hsm.uri('access'))
  if ('problem' in read) throw new Error(read.problem)
  const opened = openHsm({ ...read.value, log: openLog({ LOG_LEVEL: 'silent' }) })
  try {
    const inMemory = openKeySigner(createPrivateKey(key))
    const inHsm = openHsmSigner(opened, read.value)
    await signMany(inHsm)
    await signMany(inMemory)
    const [values, bare]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      bare.push(await signMany(inMemory))
      values.push(await signMany(inHsm))
    }
    return [compare('signing.token', 'signatures/s', { values, bare })]
  } finally {
    opened.close()
  }
}

async function signMany({ sign }: Signer): Promise<number> {
  const began_ms = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let count = 0; count < signatures / concurrency; count += 1) await sign(message)
    }),
  )
  return (signatures * 1000) / (performance.now() - began_ms)
}

export const benches: Record<string, Bench> = { 'signing.token': token }
