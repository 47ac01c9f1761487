import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { exportAnchors, createIssuer, exportIssuer, toPem } from '@vidimus/sandbox'
import { signIn } from '../../apps/service/test/sign-in/browser.ts'
import {
  startProcesses,
  type ProcessOptions,
  type ServiceProcesses,
} from '../../apps/service/test/processes/processes.ts'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { addTenantAnchors } from '../../apps/service/src/trust/tenant/change-anchors.ts'
import { openSandboxIssuer } from '../../apps/service/src/trust/sandbox/open-sandbox.ts'
import type { AttackOrder, AttackReport } from './attack-process.ts'
import { openAttackerHost } from './attacker-host.ts'
import { attackNames, type AttackName } from './attacks.ts'
import { measureVictim, type Samples } from './measure-victim.ts'
import { insertVerifications } from '../../bench/growth/fill.ts'
import type { ChaosRun } from '../chaos-run.ts'

const fullSeconds = 60
const verificationsPerSecond = 8
const maxStolen = 0.03
const maxTries = 3
const devices = 12_000
const verifications = 100_000
/** `ratio`: 99th percentile during the attack divided by the idle one. */
export const noisyBounds = { ratio: 3, rss_mb: 700, failures: 0 }

/** How an attack affected another tenant. */
export type AttackEffect = {
  attack: AttackName
  idle: Samples
  during: Samples
  ratio: number
  /** Peak memory of the service. */
  rss_mb: number
  /** CPU time of the service divided by the attack's duration: 2 means two processors. */
  service_cpu: number
  /** The share of the machine's processors that its host gave to others, here and while it was idle. */
  stolen: number
  attacker: AttackReport
}

/**
 * One tenant, or one address, attacks with full force while another tenant completes verifications at a modest rate from
 * another address. `n` is the duration of each attack in seconds; each attack has its own service process and database.
 * `lost` counts failed requests of the other tenant and attacks under which its latency or the service's memory exceeded
 * `noisyBounds`.
 */
export const noisyNeighbour: ChaosRun = async ({ n = fullSeconds }) => {
  const effects: AttackEffect[] = []
  const only = process.env['ATTACKS']?.split(',')
  const chosen = attackNames.filter((name) => only?.includes(name) !== false)
  for (const attack of chosen)
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const effect = await measureAttack(attack, n)
      effects.push(effect)
      process.stderr.write(`${renderTable([effect], effects.length === 1)}\n`)
      if (effect.stolen <= maxStolen) break
    }
  const failures = effects.flatMap(({ idle, during }) => [...idle.failures, ...during.failures])
  // What the host disturbed was measured again; the last try counts, as it is.
  const exceeded = [...new Map(effects.map((effect) => [effect.attack, effect])).values()].filter(
    ({ ratio, rss_mb }) => ratio > noisyBounds.ratio || rss_mb > noisyBounds.rss_mb,
  )
  return {
    name: 'noisy',
    faults: chosen.length,
    acknowledged: effects.reduce((sum, { during }) => sum + during.response_ms.length, 0),
    lost: failures.length + exceeded.length,
    duplicated: 0,
  }
}

async function measureAttack(attack: AttackName, seconds: number): Promise<AttackEffect> {
  await using noisyService = await openNoisyService()
  const stolen = countStolen()
  const idle = await noisyService.measure(seconds)
  return await noisyService.measureDuring(attack, { idle, seconds, stolen })
}

/** A service process with one tenant that is measured and one that attacks. */
export async function openNoisyService({ injectedFaults = [] }: Pick<ProcessOptions, 'injectedFaults'> = {}) {
  const silentHost = await startSilentHost()
  const service = await startProcesses(1, {
    injectedFaults,
    environment: {
      LOG_LEVEL: 'error',
      HOST: '0.0.0.0',
      // The default limits, which tests switch off.
      RATE_LIMITS: 'key=6000/60,ip=30000/60,session=600/60',
      WEBHOOK_EGRESS_ALLOW: '127.0.0.1/32',
    },
  })
  const [{ address, child } = { address: '', child: undefined }] = service.processes
  const pid = child?.pid ?? 0
  const port = Number(new URL(address).port)
  const victim = await service.tenant({ daily_quota: 1_000_000 })
  const issuer = await openSandboxIssuer(service.ctx)
  const attacker = await createAttacker(service, { port, silentHost: silentHost.address })
  const measure = (seconds: number) =>
    measureVictim({ port, key: victim.key, issuer, seconds, per_second: verificationsPerSecond })
  // Warm up: the first requests compile code and start threads.
  await measure(2)

  /** What an attacker has before the attack. */
  const prepare = async (attack: AttackName) => {
    if (attack === 'devices') await addDevices(service, attacker.tenant_id)
    if (['figures', 'search', 'csv'].includes(attack)) await addVerifications(service, attacker.tenant_id)
  }

  return {
    port,
    victimKey: victim.key,
    attacker,
    prepare,
    measure,
    async measureDuring(
      attack: AttackName,
      { idle, seconds, stolen = countStolen() }: { idle: Samples; seconds: number; stolen?: () => number },
    ): Promise<AttackEffect> {
      await prepare(attack)
      using attackerHost = openAttackerHost()
      const generator = attackerHost.start(new URL('./attack-process.ts', import.meta.url))
      try {
        const order: AttackOrder = { ...attacker, host: attackerHost.service_host, name: attack, seconds }
        generator.send(order)
        await once(generator, 'message')
        const report = once(generator, 'message')
        await waitForRecovery(measure)
        resetPeakMemory(pid)
        const cpu_before = cpuSeconds(pid)
        generator.send('go')
        const during = await measure(seconds)
        const [reported] = (await report) as [AttackReport]
        return {
          attack,
          idle,
          during,
          ratio: slowdown(idle, during),
          rss_mb: peakMemory(pid),
          service_cpu: (cpuSeconds(pid) - cpu_before) / seconds,
          stolen: stolen(),
          attacker: reported,
        }
      } finally {
        generator.kill('SIGKILL')
      }
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await silentHost[Symbol.asyncDispose]()
    },
  }
}

/** Waits until the service has recovered from an earlier attack. */
async function waitForRecovery(measure: (seconds: number) => Promise<Samples>): Promise<void> {
  for (let tries = 0; tries < 20; tries += 1) if ((await measure(0.5)).failures.length === 0) return
}

/** A tenant with its own issuer and a signed-in member. */
async function createAttacker(
  service: ServiceProcesses,
  { port, silentHost }: { port: number; silentHost: string },
): Promise<Omit<AttackOrder, 'name' | 'seconds' | 'host'> & { tenant_id: string }> {
  const { ctx } = service
  const { tenant_id, key } = await service.tenant({ daily_quota: 1_000_000 })
  const by = { kind: 'operator', tenant_id } as const
  const issuer = createIssuer({
    now: new Date(),
    organization: 'An issuer of its own',
    status_uri: silentHost,
  })
  const pem = exportAnchors(issuer).map(({ certificate }) => toPem(certificate))
  await addTenantAnchors(ctx, { by, environment: 'test', pem: pem.join('\n') })
  const member = await signIn({ ctx, address: `http://127.0.0.1:${port}` }, { tenant_id })
  return {
    tenant_id,
    port,
    key,
    cookie: member.cookie(),
    issuer: exportIssuer(issuer),
    sandbox_issuer: exportIssuer(await openSandboxIssuer(ctx)),
  }
}

/** Inserted directly, because a tenant may have registered them before the limit on devices existed. */
async function addDevices({ ctx: { db } }: ServiceProcesses, tenant_id: string): Promise<void> {
  await db.execute(sql`
    insert into devices (tenant_id, id, environment, name, allowed_templates, pairing_hash, created_at, pairing_expires_at)
    select ${tenant_id}::uuid, gen_random_uuid(), 'test', 'Till ' || number, array['age_over_18'],
      sha256(number::text::bytea), service_now(), service_now() + interval '1 day'
    from generate_series(1, ${devices}::integer) as number`)
}

/** A day of a large tenant, inserted directly, because creating them would take a minute. */
async function addVerifications({ database_url }: ServiceProcesses, tenant_id: string): Promise<void> {
  await insertVerifications(database_url, {
    day: new Date().toISOString().slice(0, 10),
    verifications,
    tenant_id,
    ofOneTenant: true,
  })
}

async function startSilentHost() {
  const server = createServer((socket) => void socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's
  return {
    address: `https://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
    },
  }
}

/** Peak memory of a process since `resetPeakMemory`, in MB. */
function peakMemory(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024)
}

function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** CPU time of a process in user and system mode: fields 14 and 15 of `/proc/<pid>/stat`, in hundredths of a second. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Counts from now which share of the processors the host of this machine gave to others: the eighth figure of `/proc/stat`, in hundredths of a second. */
function countStolen(): () => number {
  const read = () => Number(readFileSync('/proc/stat', 'utf8').split(/\s+/)[8]) / 100
  const [began, before] = [performance.now(), read()]
  return () => ((read() - before) * 1000) / (performance.now() - began) / availableParallelism()
}

/** The greater slow-down of creations and wallet responses. */
function slowdown(idle: Samples, during: Samples): number {
  return Math.max(
    percentile(during.create_ms, 0.99) / percentile(idle.create_ms, 0.99),
    percentile(during.response_ms, 0.99) / percentile(idle.response_ms, 0.99),
  )
}

export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

function renderTable(effects: AttackEffect[], heading: boolean): string {
  const p = (values: number[]) =>
    `${percentile(values, 0.5).toFixed(0)}/${percentile(values, 0.99).toFixed(0)}`
  const rows = effects.map(({ attack, idle, during, ratio, rss_mb, service_cpu, stolen, attacker }) => [
    attack,
    p(idle.create_ms),
    p(during.create_ms),
    p(idle.response_ms),
    p(during.response_ms),
    ratio.toFixed(1),
    `${during.failures.length}/${during.create_ms.length}`,
    String(rss_mb),
    `${(service_cpu * 100).toFixed(0)} %`,
    `${(attacker.cpu_share * 100).toFixed(0)} %`,
    `${(stolen * 100).toFixed(0)} %`,
    [...new Set(during.failures)].slice(0, 3).join('; '),
    JSON.stringify(attacker.counts),
  ])
  const titles = [
    'attack',
    'create p50/p99 idle',
    'during, ms',
    'answer p50/p99 idle',
    'during, ms',
    'ratio',
    'failed',
    'RSS MB',
    'service CPU',
    'generator CPU',
    'stolen by the host',
    'failures',
    'attacker saw',
  ]
  const lines = heading ? [titles, titles.map(() => '---'), ...rows] : rows
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
