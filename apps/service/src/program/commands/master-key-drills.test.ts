import { sourceFaults } from '../../../test/injected-faults.ts'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { startProgram } from '../../../test/processes/start-program.ts'
import { startService, testEnvironment, type Merchant, type Service } from '../../../test/service.ts'
import {
  createSoftHsm,
  findTokenProcesses,
  lacksSoftHsm,
  skipReason,
} from '../../../test/signing/soft-hsm.ts'
import { newAccessCertificate } from '../../../test/trust/access-certificate.ts'
import { sql } from '../../engine/db/sql.ts'
import { moveTenant } from '../../operations/tenant-moves/move.ts'
import { MasterKeyError } from '../../engine/keyring/master-key.ts'
import { ClosedRingError } from '../../engine/keyring/ring.ts'
import { newSealedSecret, unsealSecret } from '../../accounts/webhook-secrets/create-secrets.ts'

// The master key moves as docs/operate/rotate.md says: with the program, while the service runs.

const masterKey = Buffer.alloc(32, 7).toString('base64')
const noMasterKey = { MASTER_KEY: '' }

async function openDrill() {
  const hsm = createSoftHsm()
  hsm.createAesKey('master')
  const database = await createTestDatabase()
  const keep = { url: database.url, async [Symbol.asyncDispose]() {} }
  const inToken = { ...noMasterKey, MASTER_KEY_URI: hsm.uri('master') }
  return {
    hsm,
    database,
    inToken,
    toToken: { ...inToken, MASTER_KEY_PREVIOUS: masterKey },
    toFile: { MASTER_KEY: masterKey, MASTER_KEY_PREVIOUS_URI: hsm.uri('master') },
    start: (environment: Record<string, string> = {}, onLog?: (line: string) => void) =>
      startService({ database: keep, environment, ...(onLog && { onLog }) }),
    run: (args: string[], environment: Record<string, string>) =>
      runProgram(args, testEnvironment(database.url, { SOFTHSM2_CONF: hsm.configuration, ...environment })),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      hsm[Symbol.dispose]()
    },
  }
}

/** Which kind of master key wraps each key of the ring: 0 for bytes in memory, 1 for a key in a token. */
async function readWrappers({ ctx: { db } }: Service): Promise<number[]> {
  const rows = await db.query<{ wrapper: number }>(
    sql`select get_byte(wrapped, 3) as wrapper from keyring order by id limit 100`,
  )
  return rows.map(({ wrapper }) => wrapper)
}

async function create(merchant: Merchant): Promise<{ id: string; wallet_uri: string }> {
  const { status, body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
  expect(status).toBe(201)
  return body
}

/** Creates a verification at one process and completes it at another. */
async function verifyAcross(from: Service, to: Service, merchant: Merchant): Promise<unknown> {
  const { id, wallet_uri } = await create({ ...merchant, ...caller(from.address, merchant.key) })
  await respondUntilAccepted(to, wallet_uri)
  return (await merchant.get(`/v1/verifications/${id}`)).body.status
}

test.skipIf(lacksSoftHsm)(
  `drill: the master key moves from a file to a token and back under running processes, which all go on with the configuration they have${skipReason}`,
  async () => {
    await using drill = await openDrill()
    const { run, start, inToken, toToken, toFile } = drill
    const lines: string[] = []
    await using withFile = await start({}, (line) => lines.push(line))
    const merchant = await withFile.tenant()
    const before = newSealedSecret(withFile.ctx.keyring)

    const rewrapped = await run(['admin', 'keyring', 'rewrap', '--json'], toToken)
    expect([rewrapped.stderr, rewrapped.status]).toEqual(['', 0])
    expect(JSON.parse(rewrapped.stdout)).toEqual({ keys: 2, master_key: 'MASTER_KEY_URI' })
    expect(await readWrappers(withFile)).toEqual([1, 1])

    // The process with the file reads the ring again, cannot open it, and says so once.
    await withFile.ctx.keyring.reload()
    await withFile.ctx.keyring.reload()
    expect(lines.filter((line) => line.includes('could not open a key of the ring'))).toHaveLength(2)
    await using withToken = await start(inToken)
    expect(await verifyAcross(withFile, withToken, merchant)).toBe('completed')
    expect(await verifyAcross(withToken, withFile, merchant)).toBe('completed')
    expect(await unsealSecret(withToken.ctx.keyring, before.sealed)).toBe(before.secret)
    const since = newSealedSecret(withToken.ctx.keyring)
    expect(await unsealSecret(withFile.ctx.keyring, since.sealed)).toBe(since.secret)
    await expect(start()).rejects.toThrow(ClosedRingError)
    const command = await run(['admin', 'secret', 'rotate', '--tenant', merchant.tenant_id], inToken)
    expect([command.stderr, command.status]).toEqual(['', 0])

    expect((await run(['admin', 'keyring', 'rewrap'], toFile)).status).toBe(0)
    expect(await readWrappers(withFile)).toEqual([0, 0])
    await withToken.ctx.keyring.reload()
    await using again = await start()
    expect(await verifyAcross(withToken, again, merchant)).toBe('completed')
    expect(await verifyAcross(again, withToken, merchant)).toBe('completed')
    expect(await unsealSecret(again.ctx.keyring, before.sealed)).toBe(before.secret)
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `drill: a rewrap that is killed in the middle changes nothing; processes with both master keys start before and after it${skipReason}`,
  async () => {
    await using drill = await openDrill()
    const { run, start, toToken, inToken } = drill
    await using running = await start()
    const merchant = await running.tenant()
    await using killed = startProgram({
      args: ['admin', 'keyring', 'rewrap'],
      environment: testEnvironment(drill.database.url, {
        SOFTHSM2_CONF: drill.hsm.configuration,
        ...toToken,
      }),
      injectedFaults: sourceFaults.killedWhileRewrapping,
    })
    expect(await killed.ended).toBe('SIGKILL')
    expect(await readWrappers(running)).toEqual([0, 0])

    {
      await using withFile = await start()
      await using withBoth = await start(toToken)
      expect(await verifyAcross(withFile, withBoth, merchant)).toBe('completed')
    }
    const doctor = await run(['doctor'], toToken)
    expect(doctor.stdout).toContain('MASTER_KEY_PREVIOUS still wraps the key ring, not MASTER_KEY_URI.')
    expect((await run(['admin', 'keyring', 'rewrap'], toToken)).status).toBe(0)
    await using withBoth = await start(toToken)
    await using withToken = await start(inToken)
    expect(await verifyAcross(withBoth, withToken, merchant)).toBe('completed')
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `without its token a running process goes on; a starting one and a command say why in one line${skipReason}`,
  async () => {
    await using drill = await openDrill()
    const { hsm, run, start, inToken } = drill
    await using running = await start(inToken)
    const merchant = await running.tenant()
    const { keyring } = running.ctx
    expect(await readWrappers(running)).toEqual([1, 1])
    const rotated = await run(['admin', 'keyring', 'rotate', '--json'], inToken)
    expect(JSON.parse(rotated.stdout)).toEqual({ sealing_key: 3 })
    const sealedSince = await sealElsewhere(() => start(inToken))

    hsm.remove()
    for (const pid of findTokenProcesses()) process.kill(pid, 'SIGKILL')
    // A key that was added meanwhile needs the token; all others do not.
    await expect(unsealSecret(keyring, sealedSince.sealed)).rejects.toThrow(MasterKeyError)
    await keyring.reload()
    expect(await verifyAcross(running, running, merchant)).toBe('completed')
    expect((await running.anonymous.get('/readyz')).status).toBe(200)
    const line = `MASTER_KEY_URI cannot be used: the module ${hsm.module_path} cannot be initialised (CKR_GENERAL_ERROR)`
    const started = await start(inToken).catch((error: unknown) => error)
    expect(started instanceof MasterKeyError ? started.explain() : started).toBe(line)
    const commands = [
      ['admin', 'keyring', 'rotate'],
      ['admin', 'keyring', 'rewrap'],
      ['admin', 'keyring', 'list'],
      ['work'],
      ['doctor'],
    ]
    const results = await Promise.all(commands.map((args) => run(args, inToken)))
    expect(results.map(({ status }) => status)).toEqual([1, 1, 1, 1, 1])
    for (const { stdout, stderr } of results) expect(stdout + stderr).toContain(line)
    expect(await readWrappers(running)).toEqual([1, 1, 1])

    hsm.insert()
    await expect
      .poll(() => unsealSecret(keyring, sealedSince.sealed).catch(() => undefined))
      .toBe(sealedSince.secret)
  },
  300_000,
)

async function sealElsewhere(start: () => Promise<Service>) {
  await using other = await start()
  return newSealedSecret(other.ctx.keyring)
}

test.skipIf(lacksSoftHsm)(
  `each mistake in MASTER_KEY_URI is a line at start, and a key that could leave its token is refused${skipReason}`,
  async () => {
    await using drill = await openDrill()
    const { hsm, start, inToken } = drill
    hsm.createAesKey('other')
    hsm.createAesKey('short', { bytes: 16 })
    hsm.createAesKey('extractable', { extractable: true })
    hsm.createAesKey('readable', { sensitive: false })
    hsm.createAesKey('idle', { encrypts: false })
    hsm.createAesKey('twice')
    hsm.createAesKey('twice')
    await (await start(inToken))[Symbol.asyncDispose]()
    const leaves = 'could leave the token; create one with CKA_EXTRACTABLE false and CKA_SENSITIVE true'
    const mistakes: [uri: string, line: string][] = [
      [hsm.uri('master', { pin_file: hsm.configuration }), `the PIN in ${hsm.configuration} is wrong`],
      [hsm.uri('absent'), 'the token has no secret key absent'],
      [hsm.uri('twice'), 'the token has more than one secret key twice'],
      [hsm.uri('short'), 'the key short is not an AES key of 256 bits'],
      [hsm.uri('extractable'), `the key extractable ${leaves}`],
      [hsm.uri('readable'), `the key readable ${leaves}`],
      [hsm.uri('idle'), 'the key idle must allow CKA_ENCRYPT and CKA_DECRYPT'],
    ]
    for (const [MASTER_KEY_URI, reason] of mistakes) {
      const started = await start({ ...noMasterKey, MASTER_KEY_URI }).catch((error: unknown) => error)
      expect(started instanceof MasterKeyError ? started.explain() : started).toBe(
        `MASTER_KEY_URI cannot be used: ${reason}`,
      )
    }
    // A supervisor must not start it again after a wrong PIN (RestartPreventExitStatus=77), and after anything else it should.
    const statuses = await Promise.all(
      [mistakes[0], mistakes[1]].map(async (mistake) => {
        const [MASTER_KEY_URI = ''] = mistake ?? []
        return (await drill.run(['work'], { ...noMasterKey, MASTER_KEY_URI })).status
      }),
    )
    expect(statuses).toEqual([77, 1])
    await expect(start({ ...noMasterKey, MASTER_KEY_URI: hsm.uri('other') })).rejects.toThrow(
      'Another key than that of MASTER_KEY_URI wraps the key ring of this database.',
    )
    await expect(start()).rejects.toThrow('A key in a token wraps the key ring of this database.')
    expect(findTokenProcesses()).toEqual([])
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `the keys of signing and of the ring share the process of their token${skipReason}`,
  async () => {
    await using drill = await openDrill()
    const { key, chain } = newAccessCertificate()
    drill.hsm.importKey('access', key, '01')
    const certificate = join(drill.hsm.folder, 'access.pem')
    writeFileSync(certificate, chain)
    const signing = { SIGNING_KEY_URI: drill.hsm.uri('access'), SIGNING_CERT_FILE: certificate }
    await using service = await drill.start({ ...drill.inToken, ...signing })
    expect(await verifyAcross(service, service, await service.tenant())).toBe('completed')
    expect(findTokenProcesses()).toHaveLength(1)
    const doctor = await drill.run(['doctor', '--json'], { ...drill.inToken, ...signing })
    expect(doctor.stdout).toContain('opens the key ring')
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `a key of the ring that was wrapped in the token opens only in its own place, and unaltered${skipReason}`,
  async () => {
    await using drill = await openDrill()
    await using running = await drill.start(drill.inToken)
    const { db } = running.ctx
    const changes = [
      sql`update keyring k set wrapped = o.wrapped from keyring o where o.id = 3 - k.id`,
      sql`update keyring set wrapped = set_byte(wrapped, 20, get_byte(wrapped, 20) # 1) where id = 2`,
      sql`update keyring set wrapped = set_byte(wrapped, 5, get_byte(wrapped, 5) # 1) where id = 1`,
      sql`update keyring set id = id + 10`,
    ]
    for (const change of changes) {
      await db.execute(sql`create table saved as select * from keyring`)
      await db.execute(change)
      await expect(drill.start(drill.inToken)).rejects.toThrow(ClosedRingError)
      await db.execute(sql`delete from keyring`)
      await db.execute(sql`insert into keyring select * from saved`)
      await db.execute(sql`drop table saved`)
    }
    await (await drill.start(drill.inToken))[Symbol.asyncDispose]()
  },
  300_000,
)

test.skipIf(lacksSoftHsm)(
  `a tenant moves to a cell whose master key is in a token${skipReason}`,
  async () => {
    await using drill = await openDrill()
    await using source = await startService({ environment: { CELL: '0' } })
    await using target = await drill.start({ ...drill.inToken, CELL: '1' })
    const { tenant_id } = await source.tenant()
    const moved = await moveTenant({ source: source.ctx, target: target.ctx }, { tenant_id })
    expect(moved.rows).toBeGreaterThan(0)

    expect(await readWrappers(target)).toEqual([1, 1, 1])
    const carried = await target.ctx.keyring.hashingOf('0')
    const value = randomBytes(8)
    expect(carried.mac(tenant_id, value)).toEqual(source.ctx.keyring.mac(tenant_id, value))
  },
  300_000,
)
