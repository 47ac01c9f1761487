import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../apps/service/src/engine/db/sql.ts'
import { runWorker } from '../../apps/service/src/program/worker.ts'
import { listMovedRoutes } from '../../apps/service/src/operations/tenant-moves/move.ts'
import { caller } from '../../apps/service/test/caller.ts'
import { startReceiver } from '../../apps/service/test/network/receiver.ts'
import { sourceFaults } from '../../apps/service/test/injected-faults.ts'
import type { InjectedFault } from '../../apps/service/test/processes/inject-faults.ts'
import { startProgram } from '../../apps/service/test/processes/start-program.ts'
import { startService, testEnvironment, type Service } from '../../apps/service/test/service.ts'
import type { ChaosReport, ChaosRun } from '../chaos-run.ts'
import { joinMove, type MoveFindings } from './join-move.ts'
import { startMoveLoad } from './move-load.ts'
import { startRouter } from '../../apps/service/test/cells/start-router.ts'

/** The steps that the command prints. It is killed as soon as it has printed one, a different one in each round. */
const steps = ['prepared', 'draining', 'drained', 'frozen', 'chained', 'copied', 'moved']
const masterKeys = { a: Buffer.alloc(32, 7), b: Buffer.alloc(32, 9) }

/** Moves a tenant under load through the router, `n` times; the command is killed once in each round and run again. */
export const moveUnderLoad: ChaosRun = ({ n = steps.length }) => moveTenants('cells.move', n, [])

/** The tenant does not become read-only before its rows are copied. The run must find the loss. */
export const moveWithInjectedFault: ChaosRun = ({ n = 1 }) =>
  moveTenants('cells.move.injected', n, sourceFaults.movedWithoutFreezing)

async function moveTenants(
  name: string,
  rounds: number,
  injectedFaults: readonly InjectedFault[],
): Promise<ChaosReport> {
  await using receiver = await startReceiver((socket) =>
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
  )
  const common = { CELLS: 'a,b', WEBHOOK_EGRESS_ALLOW: '127.0.0.0/8' }
  await using source = await startService({ environment: { ...common, CELL: 'a' } })
  await using target = await startService({
    environment: { ...common, CELL: 'b', MASTER_KEY: masterKeys.b.toString('base64') },
  })
  const workers = new AbortController()
  const working = Promise.all([source, target].map(({ ctx }) => runWorker(ctx, workers.signal)))
  const found: MoveFindings[] = []
  try {
    for (let round = 0; round < rounds; round += 1) {
      const step = steps[round % steps.length] ?? ''
      found.push(await moveOnce({ source, target, receiver, step, injectedFaults }))
    }
  } finally {
    workers.abort()
    await working
  }
  const total = (key: keyof MoveFindings) => found.reduce((sum, each) => sum + each[key], 0)
  return {
    name,
    faults: rounds,
    acknowledged: total('acknowledged'),
    lost: total('lost') + total('resurrected') + total('webhooks_lost') + total('wrong_responses'),
    duplicated: total('charged_twice') + total('webhooks_twice'),
    contradictions: {
      lost: total('lost'),
      resurrected: total('resurrected'),
      charged_twice: total('charged_twice'),
      webhooks_lost: total('webhooks_lost'),
      webhooks_twice: total('webhooks_twice'),
      wrong_responses: total('wrong_responses'),
    },
    requests: total('requests'),
  }
}

type Round = {
  source: Service
  target: Service
  receiver: Awaited<ReturnType<typeof startReceiver>>
  step: string
  injectedFaults: readonly InjectedFault[]
}

async function moveOnce({ source, target, receiver, step, injectedFaults }: Round): Promise<MoveFindings> {
  const cells = { a: portOf(source), b: portOf(target) }
  const tenant = await source.tenant({ daily_quota: 100_000 })
  let router = await startRouter({ cells, moved: await readMap(source) })
  const { port } = router
  const load = await startMoveLoad({
    by: caller(router.address, tenant.key),
    address: router.address,
    ctx: source.ctx,
    webhook_url: receiver.url,
  })
  try {
    await sleep(1000)
    await runMoveCommand({ source, target, tenant_id: tenant.tenant_id, killAfter: step, injectedFaults })
    await runMoveCommand({ source, target, tenant_id: tenant.tenant_id, injectedFaults })
    await router[Symbol.asyncDispose]()
    router = await startRouter({ cells, port, moved: await readMap(source) })
    await sleep(1500)
    const ledger = await load.end()
    await waitForQueue(target, tenant.tenant_id)
    return await joinMove({ target, tenant, ledger, received: receiver.received, address: router.address })
  } finally {
    await load.end()
    await router[Symbol.asyncDispose]()
  }
}

function portOf({ address }: Service): number {
  return Number(new URL(address).port)
}

async function readMap({ ctx }: Service): Promise<string[]> {
  const lines: string[] = []
  for await (const { route, cell } of listMovedRoutes(ctx)) lines.push(`${route} ${cell}`)
  return lines
}

type MoveCommand = Pick<Round, 'source' | 'target' | 'injectedFaults'> & {
  tenant_id: string
  killAfter?: string
}

/** Runs `vidimus admin tenant move` as an operator would. With `killAfter`, SIGKILL follows that step. */
async function runMoveCommand({ source, target, tenant_id, killAfter, injectedFaults }: MoveCommand) {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-move-'))
  const files = { url: join(folder, 'database-url'), key: join(folder, 'master-key') }
  writeFileSync(files.url, target.database_url)
  writeFileSync(files.key, masterKeys.b.toString('base64'))
  const args = ['admin', 'tenant', 'move', '--tenant', tenant_id, '--to', 'b']
  await using program = startProgram({
    args: [...args, '--to-database-url-file', files.url, '--to-master-key-file', files.key],
    environment: testEnvironment(source.database_url, { CELL: 'a', CELLS: 'a,b' }),
    injectedFaults,
  })
  if (killAfter !== undefined)
    program.child.stderr?.on('data', () => {
      if (program.output().split('\n').includes(killAfter)) program.child.kill('SIGKILL')
    })
  const ended = await program.ended
  rmSync(folder, { recursive: true })
  if (killAfter === undefined && ended !== 0) throw new Error(`the move failed: ${program.output()}`)
}

/** The events that were carried are sent by the target's worker. */
async function waitForQueue({ ctx }: Service, tenant_id: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt += 1) {
    const rows = await ctx.db.query<{ verification_id: string }>(
      sql`select verification_id from webhook_events where tenant_id = ${tenant_id} limit 1`,
    )
    if (rows.length === 0) return
    await sleep(100)
  }
}
