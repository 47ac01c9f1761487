import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Receipt, ReceiptPage } from '@vidimus/contract'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { flushAudit } from '../../apps/service/src/audit/advance.ts'
import { getAuditKey } from '../../apps/service/src/audit/log/open-log.ts'
import { changeReceipt } from '../../apps/service/test/change-receipt.ts'
import { packedProgram } from '../../apps/service/test/processes/packed-program.ts'
import { startService, type Merchant, type Service } from '../../apps/service/test/service.ts'
import { openWallet } from '../../apps/service/test/wallet.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'

/** For the slow lane. `--n 10000` is the full size. */
const defaultSize = 500
const concurrency = 8
/** Receipts of which every member is changed; each has about 90. */
const maxChanged = 100
const receiptsPerFile = 1000
const pageSize = 50
const python = fileURLToPath(new URL('../../docs/reference/audit-check.py', import.meta.url))

/**
 * `n` receipts are checked by the packed program and by the Python script, in a network namespace without any network: every genuine one is
 * valid, and every one with one bit changed is refused. `lost` counts the wrong verdicts of either.
 */
export const auditReceipts: ChaosRun = ({ n = defaultSize }) => run('audit.receipts', n, false)

/** The same with a genuine receipt among the changed ones: `lost` is 2, because both programs accept it. */
export const auditReceiptsWithInjectedFault: ChaosRun = ({ n = 20 }) =>
  run('audit.receipts.injected', n, true)

async function run(name: string, n: number, plants: boolean): Promise<ChaosReport> {
  await expectNoNetwork()
  const { receipts, pem } = await makeReceipts(n)
  const changed = receipts
    .slice(0, maxChanged)
    .flatMap((receipt) => Array.from(changeReceipt(receipt), ([, altered]) => altered))
  if (plants && receipts[0] !== undefined) changed.push(receipts[0])
  const genuine = checkAll(receipts, pem)
  const altered = checkAll(changed, pem)
  const counts = {
    genuine_refused_here: receipts.length - genuine.ours,
    genuine_refused_by_python: receipts.length - genuine.python,
    changed_accepted_here: altered.ours,
    changed_accepted_by_python: altered.python,
  }
  const largest = Math.max(...receipts.map((receipt) => JSON.stringify(receipt).length))
  process.stderr.write(
    `${receipts.length} receipts, the largest has ${largest} bytes; ${changed.length} changed\n`,
  )
  return {
    name,
    faults: changed.length,
    acknowledged: receipts.length,
    lost: Object.values(counts).reduce((sum, count) => sum + count, 0),
    duplicated: 0,
    contradictions: counts,
  }
}

async function makeReceipts(n: number): Promise<{ receipts: Receipt[]; pem: string }> {
  await using service = await startService()
  const merchant = await service.tenant({ daily_quota: n })
  let begun = 0
  await Promise.all(
    Array.from({ length: Math.min(concurrency, n) }, async () => {
      const wallet = await openWallet(service.ctx, service.address)
      while (begun < n) {
        begun += 1
        const { body } = await merchant.post('/v1/verifications', { template: 'age_over_18' })
        await wallet.respond(body.wallet_uri)
      }
    }),
  )
  await flushAudit(service.ctx)
  const receipts = await readAll(service, merchant)
  if (receipts.length !== n) throw new Error(`${n} receipts were expected, and there are ${receipts.length}`)
  return { receipts, pem: (await getAuditKey(service.ctx)).public_key }
}

async function readAll({ ctx }: Service, merchant: Merchant): Promise<Receipt[]> {
  const receipts: Receipt[] = []
  const [row] = await ctx.db.query<{ days: string[] }>(sql`
    select array[(service_day() - 1)::text, service_day()::text] as days`)
  for (const day of row?.days ?? []) {
    let after = ''
    do {
      const { body } = await merchant.get(`/v1/receipts?day=${day}&limit=${pageSize}${after}`)
      const page = body as ReceiptPage // of our own service
      receipts.push(...page.data)
      after = page.next_after === undefined ? '' : `&after=${page.next_after}`
    } while (after !== '')
  }
  return receipts
}

/** How many of the receipts each program accepts. */
function checkAll(receipts: readonly unknown[], pem: string): { ours: number; python: number } {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-receipts-'))
  try {
    const [file, key] = [join(folder, 'receipts.jsonl'), join(folder, 'audit.pem')]
    writeFileSync(key, pem)
    const accepted = { ours: 0, python: 0 }
    for (let from = 0; from < receipts.length; from += receiptsPerFile) {
      const part = receipts.slice(from, from + receiptsPerFile)
      writeFileSync(file, part.map((receipt) => `${JSON.stringify(receipt)}\n`).join(''))
      const ours = runAlone(process.execPath, [
        packedProgram(),
        'receipt',
        'check',
        file,
        '--public-key',
        key,
        '--json',
      ])
      const { reports } = JSON.parse(ours) as { reports: { valid: boolean }[] } // printed by our program
      accepted.ours += reports.filter(({ valid }) => valid).length
      const refused = new Set(
        Array.from(
          runAlone('python3', [python, file, key]).matchAll(/^receipt (\d+):/gm),
          ([, number]) => number,
        ),
      )
      accepted.python += part.length - refused.size
    }
    return accepted
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Runs a program where not even the loopback interface is up, and returns what it prints. */
function runAlone(program: string, args: readonly string[]): string {
  const { stdout, error, signal } = spawnSync('unshare', ['--map-root-user', '--net', program, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  })
  if (error !== undefined || signal !== null) throw error ?? new Error(`${program} ended with ${signal}`)
  return stdout
}

/** What can be reached from here cannot be reached from there. */
async function expectNoNetwork(): Promise<void> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const script = `import socket
try: socket.create_connection(("127.0.0.1", ${port}), 5); print("reached")
except OSError as error: print("refused", error)`
  const [here, there] = [
    spawnSync('python3', ['-c', script], { encoding: 'utf8' }).stdout,
    runAlone('python3', ['-c', script]),
  ]
  server.close()
  if (!here.startsWith('reached') || !there.startsWith('refused'))
    throw new Error(`the network namespace is not separate: ${here}, ${there}`)
}
