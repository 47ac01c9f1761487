import { generateKeyPairSync, verify, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import {
  createSoftHsm,
  findTokenProcesses,
  lacksSoftHsm,
  skipReason,
} from '../../../test/signing/soft-hsm.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService, type Merchant, type Service } from '../../../test/service.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { ConfigError } from '../../engine/config/config.ts'
import { sql } from '../../engine/db/sql.ts'
import { getEcosystemIdentities, setEcosystemIdentity } from './ecosystem-identities.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-token-'))
afterAll(() => rmSync(folder, { recursive: true }))

function writeChain(name: string, chain: string): string {
  const file = join(folder, name)
  writeFileSync(file, chain)
  return file
}

async function newVerification(merchant: Merchant) {
  const { status, body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect(status).toBe(201)
  return body as { id: string; wallet_uri: string; request_uri: string } // the contract's
}

/** Answers with the sandbox wallet, which checks the signature, and returns the status of the verification. */
async function complete(
  service: Service,
  merchant: Merchant,
  verification: { id: string; wallet_uri: string },
) {
  const result = await respondUntilAccepted(service, verification.wallet_uri)
  const { body } = await merchant.get(`/v1/verifications/${verification.id}`)
  return { result, status: (body as { status: string }).status } // the contract's
}

function fetchRequest(service: Service, { request_uri }: { request_uri: string }) {
  return service.anonymous.get(new URL(request_uri).pathname)
}

test.skipIf(lacksSoftHsm)(
  `a request signed in the token is accepted by the sandbox wallet; verifications keep their key while it moves from a file to the token and to another key${skipReason}`,
  async () => {
    using hsm = createSoftHsm()
    const database = await createTestDatabase()
    const keep = { url: database.url, async [Symbol.asyncDispose]() {} }
    const [first, second, third] = [newAccessCertificate(), newAccessCertificate(), newAccessCertificate()]
    hsm.importKey('second', second.key, '02')
    hsm.importKey('third', third.key, '03')
    const inFile = {
      SIGNING_KEY_FILE: writeChain('first.key', first.key),
      SIGNING_CERT_FILE: writeChain('first.pem', first.chain),
    }
    const both = { ...inFile, SIGNING_KEY_URI: hsm.uri('second') }
    const inToken = {
      SIGNING_KEY_URI: hsm.uri('second'),
      SIGNING_CERT_FILE: writeChain('second.pem', second.chain),
    }
    const replaced = {
      SIGNING_KEY_URI: hsm.uri('third'),
      SIGNING_CERT_FILE: writeChain('third.pem', third.chain),
    }

    try {
      await using old = await startService({ database: keep, environment: both })
      const merchant = await old.tenant()
      const fromFile = await newVerification(merchant)
      expect(fromFile.wallet_uri).toContain(encodeURIComponent(first.client_id))
      await using current = await startService({
        database: keep,
        environment: { ...inToken, SIGNING_KEY_FILE: inFile.SIGNING_KEY_FILE },
      })
      const sameMerchant = merchantAt(current, merchant)
      const fromToken = await newVerification(sameMerchant)
      const later = await newVerification(sameMerchant)
      expect(fromToken.wallet_uri).toContain(encodeURIComponent(second.client_id))
      // While both run, each signs for the verifications of the other.
      expect(await complete(current, merchant, fromFile)).toMatchObject({ status: 'completed' })
      expect(await complete(old, merchant, fromToken)).toMatchObject({ status: 'completed' })

      await using next = await startService({ database: keep, environment: replaced })
      expect(await complete(next, merchant, later)).toMatchObject({ status: 'completed' })
      const newest = await newVerification(merchantAt(next, merchant))
      expect(newest.wallet_uri).toContain(encodeURIComponent(third.client_id))
      expect(await complete(next, merchant, newest)).toMatchObject({ status: 'completed' })

      const rows = await next.ctx.db.query<{ key_uri: string | null; sealed: boolean }>(
        sql`select key_uri, sealed_key is not null as sealed from access_certificates order by created_at limit 10`,
      )
      expect(rows).toEqual([
        { key_uri: null, sealed: true },
        { key_uri: 'pkcs11:token=vidimus;object=second', sealed: false },
        { key_uri: 'pkcs11:token=vidimus;object=third', sealed: false },
      ])
    } finally {
      await database[Symbol.asyncDispose]()
    }
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `an identity for another ecosystem has its key in the same token, and only the key of its certificate${skipReason}`,
  async () => {
    using hsm = createSoftHsm()
    const [access, apple] = [newAccessCertificate(), newAccessCertificate()]
    hsm.importKey('access', access.key, '01')
    hsm.importKey('apple', apple.key, '02')
    await using service = await startService({
      environment: {
        SIGNING_KEY_URI: hsm.uri('access'),
        SIGNING_CERT_FILE: writeChain('access.pem', access.chain),
      },
    })
    const { tenant_id } = await service.tenant()
    const key = { tenant_id, environment: 'test', ecosystem: 'apple' } as const
    const set = (object: string) =>
      setEcosystemIdentity(service.ctx, {
        ...key,
        certificate: { chain: apple.chain, key_uri: `pkcs11:token=vidimus;object=${object}` },
      })
    await expect(set('access')).rejects.toThrow('does not belong')
    await expect(set('nobody')).rejects.toThrow('The certificate was not accepted')
    await set('apple')
    const [identity] = await getEcosystemIdentities(service.ctx, key)
    const bytes = Buffer.from('anything')
    const signature = await identity?.sign(bytes)
    const { publicKey } = new X509Certificate(apple.chain)
    expect(verify('sha256', bytes, { key: publicKey, dsaEncoding: 'ieee-p1363' }, signature ?? bytes)).toBe(
      true,
    )
  },
  60_000,
)

/** The same key at the address of another process. */
function merchantAt({ address }: Service, merchant: Merchant): Merchant {
  return { ...merchant, ...caller(address, merchant.key) }
}

test.skipIf(lacksSoftHsm)(
  `without its token the service answers 503 and is not ready; it signs again when the token is back, and after its process was killed or hung${skipReason}`,
  async () => {
    using hsm = createSoftHsm()
    const { key, chain } = newAccessCertificate()
    hsm.importKey('access', key, '01')
    const lines: string[] = []
    await using service = await startService({
      environment: { SIGNING_KEY_URI: hsm.uri('access'), SIGNING_CERT_FILE: writeChain('access.pem', chain) },
      onLog: (line) => lines.push(line),
    })
    const merchant = await service.tenant()
    const verification = await newVerification(merchant)
    const status = async () => (await fetchRequest(service, verification)).status
    const readiness = async () => (await service.anonymous.get('/readyz')).status
    expect([await status(), await readiness()]).toEqual([200, 200])

    // A killed process is replaced before a caller notices.
    const [killed = 0] = findTokenProcesses()
    process.kill(killed, 'SIGKILL')
    expect(await Promise.all(Array.from({ length: 20 }, status))).toEqual(Array(20).fill(200))

    hsm.remove()
    // The token that was opened may still sign until its process notices or ends.
    for (const pid of findTokenProcesses()) process.kill(pid, 'SIGKILL')
    await waitUntil(async () => (await readiness()) === 503)
    const refused = await fetchRequest(service, verification)
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'overloaded' } } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await (await fetch(`${service.metrics_address}/metrics`)).text()).toContain(
      'vidimus_signing_token_usable 0',
    )
    hsm.insert()
    await waitUntil(async () => (await readiness()) === 200)
    expect(await status()).toBe(200)

    const [hung = 0] = findTokenProcesses()
    process.kill(hung, 'SIGSTOP')
    const began_ms = performance.now()
    expect(await status()).toBe(503)
    expect(performance.now() - began_ms).toBeLessThan(10_000)
    await waitUntil(async () => (await readiness()) === 200)
    expect(await status()).toBe(200)
    expect(lines.join('')).toContain('the PKCS#11 token can be used again')
    expect(lines.join('')).not.toContain('1234\\n')
  },
  60_000,
)

const curve = (name: string) =>
  generateKeyPairSync('ec', { namedCurve: name })
    .privateKey.export({ format: 'pem', type: 'pkcs8' })
    .toString()

test.skipIf(lacksSoftHsm)(
  `each mistake in SIGNING_KEY_URI is a line${skipReason}`,
  async () => {
    using hsm = createSoftHsm()
    const database = await createTestDatabase()
    const keep = { url: database.url, async [Symbol.asyncDispose]() {} }
    const { key, chain } = newAccessCertificate()
    hsm.importKey('access', key, '01')
    hsm.importKey('other', newAccessCertificate().key, '02')
    hsm.importKey('p384', curve('secp384r1'), '03')
    hsm.importKey(
      'rsa',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ format: 'pem', type: 'pkcs8' })
        .toString(),
      '04',
    )
    hsm.importKey('twice', key, '05')
    hsm.importKey('twice', key, '06')
    const wrongPin = writeChain('pin', '9999')
    const mistakes: [uri: string, line: string][] = [
      [hsm.uri('access', { pin_file: wrongPin }), `cannot be used: the PIN in ${wrongPin} is wrong`],
      [
        hsm.uri('access', { pin_file: '/none' }),
        'cannot be used: the PIN file /none cannot be read (ENOENT)',
      ],
      [hsm.uri('access', { token: 'none' }), 'cannot be used: the module has no token labelled none'],
      [hsm.uri('access', { module: '/none.so' }), 'cannot be used: the module /none.so cannot be loaded'],
      [hsm.uri('absent'), 'cannot be used: the token has no private key absent'],
      [hsm.uri('twice'), 'cannot be used: the token has more than one private key twice'],
      [hsm.uri('p384'), 'cannot be used: the key p384 is not on the curve P-256'],
      [hsm.uri('rsa'), 'cannot be used: the key rsa is not on the curve P-256'],
      [hsm.uri('other'), 'cannot be used: the key does not belong to the certificate in SIGNING_CERT_FILE'],
      [
        'pkcs11:token=a;object=b?module-path=/m.so&pin-value=1234',
        'must not contain the PIN; name a file with pin-source=file:',
      ],
      ['file:/key.pem', 'must begin with pkcs11:'],
    ]
    try {
      for (const [SIGNING_KEY_URI, line] of mistakes) {
        const environment = { SIGNING_CERT_FILE: writeChain('access.pem', chain), SIGNING_KEY_URI }
        await expect(startService({ database: keep, environment })).rejects.toThrow(
          new ConfigError([`SIGNING_KEY_URI ${line}`]),
        )
      }
      expect(findTokenProcesses()).toEqual([])
    } finally {
      await database[Symbol.asyncDispose]()
    }
  },
  60_000,
)
