import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../src/engine/config/config.ts'
import { openContext, type ServiceContext } from '../../src/program/context.ts'
import { openLog } from '../../src/engine/observability/log.ts'
import { createTestDatabase } from '../database/test-database.ts'
import { newMerchant, testEnvironment, type Merchant, type NewTenant } from '../service.ts'
import { inheritedVariables } from './inherited-variables.ts'
import type { InjectedFault } from './inject-faults.ts'
import { packedProgram } from './packed-program.ts'

const program = packedProgram()
const injectFaults = fileURLToPath(new URL('./inject-faults.ts', import.meta.url))
const startLimit_ms = 60_000

export type ServiceProcess = {
  address: string
  child: ChildProcess
  /** Standard error so far, which is the log. */
  log: () => string
}

export type ProcessOptions = {
  environment?: Record<string, string>
  /** The file to run instead of the program itself, with the same arguments. */
  run?: string
  args?: string[]
  /** Faults to inject into the source of the program. */
  injectedFaults?: readonly InjectedFault[]
  /** How long a process may take until it accepts requests. */
  start_ms?: number
  /** A migrated database. By default a new one is created. */
  database?: { url: string } & AsyncDisposable
}

export type ServiceProcesses = {
  processes: ServiceProcess[]
  ctx: ServiceContext
  database_url: string
  /** A tenant whose requests go to the processes round-robin. */
  tenant(tenant?: NewTenant): Promise<Merchant>
  /** Starts another process on the same database. */
  start(): Promise<ServiceProcess>
} & AsyncDisposable

/** Real `vidimus serve` processes on one database, for races and crashes. */
export async function startProcesses(count: number, options: ProcessOptions = {}): Promise<ServiceProcesses> {
  const database = options.database ?? (await createTestDatabase())
  const environment = testEnvironment(database.url, options.environment)
  const ctx = await openContext({ ...readConfig(environment), log: openLog({ LOG_LEVEL: 'silent' }) })
  const start = async () => {
    const started = await startProcess(environment, options)
    processes.push(started)
    return started
  }
  const processes: ServiceProcess[] = []
  const close = async () => {
    await Promise.all(processes.map(({ child }) => kill(child)))
    await ctx[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  }
  const starts = await Promise.allSettled(Array.from({ length: count }, start))
  const failed = starts.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') {
    await close()
    throw failed.reason
  }
  let turn = 0
  const nextAddress = () => processes[(turn += 1) % processes.length]?.address ?? ''
  return {
    processes,
    ctx,
    database_url: database.url,
    start,
    tenant: (tenant) => newMerchant(ctx, nextAddress, tenant),
    [Symbol.asyncDispose]: close,
  }
}

/** Starts one process and waits until it accepts requests. One that does not is killed. */
export async function startProcess(
  environment: Record<string, string>,
  {
    injectedFaults = [],
    run = injectedFaults.length === 0 ? program : injectFaults,
    args = ['serve'],
    start_ms = startLimit_ms,
  }: ProcessOptions,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [run, ...args], {
    env: { ...inheritedVariables(), ...environment, INJECTED_FAULTS: JSON.stringify(injectedFaults) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  child.stderr.on('data', (chunk: Buffer) => log.push(chunk.toString()))
  const lines = createInterface(child.stdout)
  const [line] = await Promise.race([
    once(lines, 'line', { signal: AbortSignal.timeout(start_ms) }).catch(() => ['']),
    once(child, 'exit').then(() => ['']),
  ])
  const address = /http:\/\/\S+/.exec(String(line))?.[0]
  if (address === undefined) {
    await kill(child)
    throw new Error(
      `process ${child.pid} did not start within ${start_ms / 1000} s, or ended:\n${log.join('')}`,
    )
  }
  return { address, child, log: () => log.join('') }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
