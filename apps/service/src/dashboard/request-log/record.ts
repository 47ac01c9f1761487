import type { RequestLogSettings, RequestPage } from '@vidimus/contract'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { type ApiRequest, dayOfVerificationId } from '../../engine/basics/index.ts'
import type { Context } from '../../engine/context.ts'
import { hashLoggedVerification } from '../../engine/keyring/index.ts'
import { type NewRequestRow, insertRequests, isLogOff, updateLogOff } from './store.ts'

export const recorderBounds = {
  flush_ms: 1000,
  /** Requests in one statement. A full batch is written at once. */
  batch: 500,
  /** Requests that wait. More are dropped. */
  waiting: 5000,
}

type RequestRecorder = {
  record(request: ApiRequest): void
  /** Writes what is waiting. */
  flush(): Promise<void>
} & Disposable

type WaitingRow = { row: NewRequestRow; ended: number }

/**
 * Records the requests of keys and devices, off their path: they wait in this process and are written together, one statement at a
 * time. What does not fit, or cannot be written, is dropped and counted; the next row of the same tenant says how many are missing.
 */
export function openRequestRecorder({
  config,
  db,
  keyring,
  log,
  metrics,
}: Pick<Context, 'config' | 'db' | 'keyring' | 'log' | 'metrics'>): RequestRecorder | undefined {
  if (config.REQUEST_LOG === 'off') return undefined
  const sampler = openSampler()
  let waiting: WaitingRow[] = []
  let writing: Promise<void> | undefined

  function drop(rows: readonly WaitingRow[], reason: 'full' | 'failed'): void {
    metrics.requestLogDropped.inc({ reason }, rows.length)
    for (const { row } of rows) sampler.omit(ownerOf(row), 1 + row.omitted)
  }

  async function writeBatches(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, recorderBounds.batch)
      waiting = waiting.slice(recorderBounds.batch)
      const now = performance.now()
      try {
        await insertRequests(
          db,
          batch.map(({ row, ended }) => ({ row, age_ms: now - ended })),
        )
      } catch (error) {
        // The log is best effort: whatever the database refuses, requests go on.
        drop(batch, 'failed')
        log.warn({ err: error }, 'could not write the request log')
      }
    }
  }

  function flush(): Promise<void> {
    writing ??= writeBatches().finally(() => (writing = undefined))
    return writing
  }

  function startFlush(): void {
    flush().catch((error: unknown) => log.warn({ err: error }, 'could not write the request log'))
  }

  // Armed only while something waits: an idle process sets no timer.
  let timer: NodeJS.Timeout | undefined
  function flushSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      sampler.reset()
      startFlush()
    }, recorderBounds.flush_ms).unref()
  }

  return {
    record(request) {
      const { principal, status } = request
      flushSoon()
      const omitted = sampler.admit(ownerOf(principal), status < 400 ? 'succeeded' : 'failed')
      if (omitted === undefined) {
        metrics.requestLogDropped.inc({ reason: 'sampled' })
        return
      }
      const entry = { row: toRow(request, omitted, keyring), ended: performance.now() }
      if (waiting.length >= recorderBounds.waiting) drop([entry], 'full')
      else if (waiting.push(entry) >= recorderBounds.batch) startFlush()
    },
    async flush() {
      await writing
      await flush()
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}

function ownerOf({ tenant_id, environment }: { tenant_id: string; environment: string }): string {
  return `${tenant_id} ${environment}`
}

function toRow(request: ApiRequest, omitted: number, keyring: Context['keyring']): NewRequestRow {
  const { principal, verification_id, duration_ms } = request
  const day = verification_id === undefined ? undefined : dayOfVerificationId(verification_id)
  return {
    tenant_id: principal.tenant_id,
    environment: principal.environment,
    request_id: request.request_id,
    method: request.method,
    route: request.route,
    status: request.status,
    error_code: request.error_code ?? null,
    warning: request.warning ?? null,
    duration_us: Math.min(Math.round(duration_ms * 1000), 2 ** 31 - 1),
    idempotency: request.idempotency ?? null,
    key_id: principal.kind === 'key' ? principal.key_id : null,
    device_id: principal.kind === 'device' ? principal.device_id : null,
    member_id: principal.kind === 'member' ? principal.member_id : null,
    verification:
      verification_id === undefined || day === undefined
        ? null
        : { day, id: verification_id, hash: hashLoggedVerification(keyring, verification_id) },
    omitted,
  }
}

type OwnerCount = { succeeded: number; failed: number; omitted: number }

/** Of one tenant and environment, in one process and second: this many successes and as many failures are all recorded. */
export const fullRate = 100
/** Of those beyond it, one in this many is recorded. */
export const sampleRatio = 20
/** Tenants whose omitted requests are counted at a time. */
const maxOwners = 10_000

/**
 * Decides which requests are recorded: all of a caller with a moderate rate, a sample of a busy one. Failures have a share of
 * their own, so that successes do not hide them.
 */
function openSampler() {
  const owners = new Map<string, OwnerCount>()

  function countOf(owner: string): OwnerCount {
    const known = owners.get(owner)
    if (known !== undefined) return known
    const count = { succeeded: 0, failed: 0, omitted: 0 }
    if (owners.size < maxOwners) owners.set(owner, count)
    return count
  }

  return {
    /** How many requests of this owner were omitted before this one; undefined if this one is omitted too. */
    admit(owner: string, outcome: 'succeeded' | 'failed'): number | undefined {
      const count = countOf(owner)
      count[outcome] += 1
      if (count[outcome] > fullRate && count[outcome] % sampleRatio !== 0) {
        count.omitted += 1
        return undefined
      }
      const { omitted } = count
      count.omitted = 0
      return omitted
    },
    /** Counts requests that were admitted and could not be kept. */
    omit(owner: string, requests: number): void {
      countOf(owner).omitted += requests
    },
    /** Begins the next second. */
    reset(): void {
      for (const [owner, count] of owners) {
        if (count.omitted === 0) owners.delete(owner)
        else Object.assign(count, { succeeded: 0, failed: 0 })
      }
    },
  }
}

export async function getRequestLogSettings(
  { config, db }: Pick<Context, 'config' | 'db'>,
  tenant_id: string,
): Promise<RequestLogSettings> {
  return { enabled: !(await isLogOff(db, tenant_id)), available: config.REQUEST_LOG === 'on' }
}

export async function getRecording(
  ctx: Pick<Context, 'config' | 'db'>,
  tenant_id: string,
): Promise<RequestPage['recording']> {
  const { enabled, available } = await getRequestLogSettings(ctx, tenant_id)
  if (!available) return 'unavailable'
  return enabled ? 'on' : 'off'
}

/** Switches the log of a tenant's requests on or off. What was recorded stays until its seven days are over. */
export async function setRequestLog(
  { db }: Pick<Context, 'db'>,
  { by, enabled }: { by: NewAuditEntry['by']; enabled: boolean },
): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await updateLogOff(tx, by.tenant_id, !enabled)
    if (changed) await appendAudit(tx, { action: 'tenant.request_log_changed', by, detail: { enabled } })
  })
}
