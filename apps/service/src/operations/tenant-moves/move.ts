import { type DeletedRows, deleteTenant } from '../../accounts/index.ts'
import { type RecordOperation, appendAudit, describeCheckpoint, flushAudit } from '../../audit/index.ts'
import type { Context } from '../../engine/context.ts'
import { carryHashingKeys } from '../../engine/keyring/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { countPastDays } from '../../verifications/index.ts'
import { copyTenant, type CellContexts } from './copy.ts'
import { disableHold, enableHold, waitForOlderTransactions, waitForWork } from './hold.ts'
import { withMoveLock } from './lock.ts'
import {
  type MovedRoute,
  advanceMove,
  deleteMove,
  deleteOldRoutes,
  findMove,
  hasTenant,
  insertMove,
  insertRoutes,
  listMigrations,
  readCountedDay,
  readRoutes,
} from './store.ts'

export type MoveTenant = {
  tenant_id: string
  onStep?: (step: MoveStep) => void
  /** While rows are copied: how many tables are done, of how many. */
  onProgress?: (done: number, of: number) => void
  /** Records the move in the installation's log of either cell. */
  record?: RecordOperation
}
/** What was done last. */
export type MoveStep = 'prepared' | 'draining' | 'drained' | 'frozen' | 'chained' | 'copied' | 'moved'
export type MovedTenant = { rows: number; routes: number; read_only_ms: number }

/** How long the router knows a verification after it expired: its page may still be open. */
const routeKept_hours = 2
/** A busy tenant has many verifications that are open or ended within the hour. */
const routeLimits = { statement_ms: 120_000 }

/**
 * Moves a tenant to another cell. It is read-only from `frozen` on, and served by the target once `copied`. Every step can be
 * repeated: a call after an interruption continues where the move stopped.
 */
export async function moveTenant(cells: CellContexts, move: MoveTenant): Promise<MovedTenant> {
  return withMoveLock(cells.source, move.tenant_id, () => runMove(cells, move))
}

async function runMove(
  { source, target }: CellContexts,
  { tenant_id, onStep = () => {}, onProgress, record }: MoveTenant,
): Promise<MovedTenant> {
  const found = await hasTenant(target.db, tenant_id)
  let started = await findMove(source.db, tenant_id)
  await requirePossible({ source, target }, { tenant_id, started, found })

  await carryHashingKeys({ db: target.db, master_keys: target.masterKeys }, source.keyring.hashingKeys())
  onStep('prepared')
  if (started === undefined) {
    await insertMove(source.db, { tenant_id, to: target.config.CELL })
    started = await findMove(source.db, tenant_id)
  }
  const isCopied = found.tenant
  if (started?.stage === 'draining') {
    await enableHold(source)
    await waitForOlderTransactions(source)
    onStep('draining')
    await waitForWork(source, tenant_id)
    onStep('drained')
    await Promise.all([source, target].map((ctx) => countPastDays(ctx)))
  }
  const frozenAt_ms = performance.now()
  if (started?.stage === 'draining') await freeze(source, { tenant_id, to: target.config.CELL, record })
  await waitForOlderTransactions(source)
  onStep('frozen')
  let rows = 0
  if (!isCopied) {
    await requireSameCounts({ source, target })
    await flushAudit(source, tenant_id)
    onStep('chained')
    const detail = await describeCheckpoint(source, tenant_id)
    rows = await copyTenant(
      { source, target },
      {
        tenant_id,
        ...(onProgress && { onProgress }),
        async beforeCommit(tx) {
          const cells = { from: source.config.CELL, to: target.config.CELL }
          await appendAudit(tx, {
            action: 'tenant.moved',
            by: { kind: 'operator', tenant_id },
            detail: { ...cells, ...detail },
          })
          await record?.(tx, { tenant_id, ...cells, step: 'copied' })
        },
      },
    )
  }
  onStep('copied')
  const read_only_ms = Math.round(performance.now() - frozenAt_ms)
  const routes = await source.db.transaction(async (tx) => {
    await advanceMove(tx, { tenant_id, from: 'frozen', to: 'moved' })
    return insertRoutes(tx, { tenant_id, cell: target.config.CELL, kept_hours: routeKept_hours })
  }, routeLimits)
  onStep('moved')
  return { rows, routes, read_only_ms }
}

type Possible = {
  tenant_id: string
  started: Awaited<ReturnType<typeof findMove>>
  found: { tenant: boolean; chain: boolean }
}

async function requirePossible(
  { source, target }: CellContexts,
  { tenant_id, started, found }: Possible,
): Promise<void> {
  const to = target.config.CELL
  if (source.config.CELL === to)
    throw new Refusal('invalid_request', `This is cell ${to}. Name another one with --to.`)
  if (started !== undefined && started.to_cell !== to)
    throw new Refusal('invalid_request', `The tenant is being moved to cell ${started.to_cell}.`)
  if (started?.stage === 'finishing' || started?.stage === 'finished')
    throw new Refusal('invalid_request', `The tenant was moved to cell ${started.to_cell}.`)
  if (started === undefined && found.tenant)
    throw new Refusal('invalid_request', `Cell ${to} already has this tenant.`)
  if (!found.tenant && found.chain)
    throw new Refusal(
      'invalid_request',
      `Cell ${to} has an audit chain of this tenant: it cannot move back there.`,
    )
  if (!(await hasTenant(source.db, tenant_id)).tenant)
    throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
  const [here, there] = await Promise.all([source, target].map(({ db }) => listMigrations(db)))
  if (here?.join() !== there?.join())
    throw new Refusal(
      'invalid_request',
      'The cells have different migrations. Run `vidimus migrate` in both.',
    )
}

/** Outcomes of past days are counted once, for all tenants of a cell. */
async function requireSameCounts({ source, target }: CellContexts): Promise<void> {
  const [here, there] = await Promise.all([source, target].map(({ db }) => readCountedDay(db)))
  if (here !== there)
    throw new Refusal(
      'overloaded',
      'The cells have counted the outcomes of different days. Abort the move and start it again, not around midnight UTC.',
    )
}

/** The last entry of the chain in this cell records the move. From the commit on nothing of the tenant changes. */
async function freeze(
  source: Pick<Context, 'db'>,
  { tenant_id, to, record }: { tenant_id: string; to: string; record: RecordOperation | undefined },
): Promise<void> {
  await source.db.transaction(async (tx) => {
    await appendAudit(tx, {
      action: 'tenant.move_started',
      by: { kind: 'operator', tenant_id },
      detail: { to },
    })
    await record?.(tx, { tenant_id, to, step: 'started' })
    if (!(await advanceMove(tx, { tenant_id, from: 'draining', to: 'frozen' })))
      throw new Error('the move was aborted meanwhile')
  })
}

/** Ends a move that has not been copied yet: the tenant is served here again. */
export async function abortMove(
  cells: CellContexts,
  tenant_id: string,
  record?: RecordOperation,
): Promise<void> {
  await withMoveLock(cells.source, tenant_id, () => runAbort(cells, tenant_id, record))
}

async function runAbort(
  { source, target }: CellContexts,
  tenant_id: string,
  record: RecordOperation | undefined,
): Promise<void> {
  const started = await findMove(source.db, tenant_id)
  if (started === undefined) throw new Refusal('not_found', 'This tenant is not being moved.')
  if (started.stage === 'finishing' || started.stage === 'finished' || started.stage === 'moved')
    throw new Refusal('invalid_request', `The tenant is in cell ${started.to_cell} already.`)
  if ((await hasTenant(target.db, tenant_id)).tenant)
    throw new Refusal(
      'invalid_request',
      'The other cell has the tenant already: run the move again to complete it.',
    )
  await source.db.transaction(async (tx) => {
    await deleteMove(tx, tenant_id)
    if (started.stage === 'frozen')
      await appendAudit(tx, { action: 'tenant.move_aborted', by: { kind: 'operator', tenant_id } })
    await record?.(tx, { tenant_id, to: started.to_cell, step: 'aborted' })
  })
  await disableHold(source)
}

type FinishMove = {
  tenant_id: string
  /** The tenant's name, to confirm. */
  name: string
  record?: RecordOperation
}

/** Deletes the tenant here, once the router sends its requests to the other cell. Only what routes them stays. */
export async function finishMove(cells: CellContexts, move: FinishMove): Promise<DeletedRows> {
  return withMoveLock(cells.source, move.tenant_id, () => runFinish(cells, move))
}

async function runFinish(
  { source, target }: CellContexts,
  { tenant_id, name, record }: FinishMove,
): Promise<DeletedRows> {
  const started = await findMove(source.db, tenant_id)
  if (started?.stage !== 'moved' && started?.stage !== 'finishing')
    throw new Refusal('invalid_request', 'This tenant was not moved. Nothing was deleted.')
  if (!(await hasTenant(target.db, tenant_id)).tenant)
    throw new Refusal('invalid_request', 'The other cell does not have the tenant. Nothing was deleted.')
  await advanceMove(source.db, { tenant_id, from: 'moved', to: 'finishing' })
  const deleted = await deleteTenant(source, {
    tenant_id,
    name,
    moved: true,
    ...(record && {
      record: (tx, detail) => record(tx, { ...detail, to: started.to_cell, step: 'finished' }),
    }),
  })
  await advanceMove(source.db, { tenant_id, from: 'finishing', to: 'finished' })
  await disableHold(source)
  return deleted
}

export const maxRoutesPerPage = 10_000

/** What a router must send to another cell, because the tenant moved there. */
export async function* listMovedRoutes({ db }: Pick<Context, 'db'>): AsyncGenerator<MovedRoute> {
  await deleteOldRoutes(db)
  let after = ''
  for (;;) {
    const routes = await readRoutes(db, { after, limit: maxRoutesPerPage })
    yield* routes
    const last = routes.at(-1)
    if (last === undefined || routes.length < maxRoutesPerPage) return
    after = last.route
  }
}
