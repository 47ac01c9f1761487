import type { Waits } from '../../../engine/scheduling/index.ts'

/** For what a request can wait, as its line in the log says, and the rest of its time. */
const waits = {
  turn: 'turn_ms',
  pool: 'pool_ms',
  sql: 'sql_ms',
  check: 'check_ms',
  lookup: 'lookup_ms',
} as const
type WaitName = keyof typeof waits | 'rest'

/** Of the tenants, those that come first; there are fewer routes. */
export const maxRows = 10_000
/** Durations are kept as the power of this that they are below. */
const precision = 1.02

/** Of a route, or of a tenant. */
export type RequestFigures = {
  name: string
  requests: number
  p50_ms: number
  p99_ms: number
  total_ms: number
  /** The share of the time that its requests took, largest first. */
  waits: { for: WaitName; share: number }[]
}

export type SlowReport = {
  requests: number
  rows: RequestFigures[]
  /** How many requests were refused or failed, by code. */
  refused: Record<string, number>
}

type RequestLine = {
  message: string
  tenant_id: string
  method: string
  route: string
  duration_ms: number
  code?: string
} & Partial<Record<keyof Waits, number>>

type Row = {
  buckets: Map<number, number>
  requests: number
  total_ms: number
  waited: Map<WaitName, number>
}

/**
 * Reads the lines of requests, and says what they waited for: by route, those of one tenant, or by tenant. What it keeps does not grow with
 * the log.
 */
export function collectSlowRequests(tenant_id?: string) {
  const rows = new Map<string, Row>()
  const refused: Record<string, number> = {}
  let requests = 0
  return {
    line(text: string): void {
      const request = readLine(text, tenant_id)
      if (request === undefined) return
      requests += 1
      if (request.code !== undefined) refused[request.code] = (refused[request.code] ?? 0) + 1
      const name = tenant_id === undefined ? request.tenant_id : `${request.method} ${request.route}`
      const row = rows.get(name) ?? newRow()
      if (rows.size < maxRows || rows.has(name)) rows.set(name, row)
      addRequest(row, request)
    },
    report(): SlowReport {
      const figures = Array.from(rows, ([name, found]) => describe(name, found))
      const by = tenant_id === undefined ? ('total_ms' as const) : ('p99_ms' as const)
      return { requests, rows: figures.toSorted((a, b) => b[by] - a[by]), refused }
    },
  }
}

function newRow(): Row {
  return { buckets: new Map(), requests: 0, total_ms: 0, waited: new Map() }
}

/** Undefined for any other line, of this program or not. */
function readLine(text: string, tenant_id: string | undefined): RequestLine | undefined {
  if (!text.includes(tenant_id ?? '"tenant_id"')) return undefined
  try {
    const line: Partial<RequestLine> = JSON.parse(text)
    const isRequest =
      line.message === 'request' &&
      line.tenant_id !== undefined &&
      line.tenant_id === (tenant_id ?? line.tenant_id)
    // The program writes these fields for every request.
    return isRequest && typeof line.duration_ms === 'number' ? (line as RequestLine) : undefined
  } catch {
    // Cut off, or written by something else.
    return undefined
  }
}

function addRequest(row: Row, line: RequestLine): void {
  const { duration_ms } = line
  const bucket = Math.ceil(Math.log(Math.max(duration_ms, 0.1)) / Math.log(precision))
  row.buckets.set(bucket, (row.buckets.get(bucket) ?? 0) + 1)
  row.requests += 1
  row.total_ms += duration_ms
  let rest_ms = duration_ms
  for (const name of Object.keys(waits) as (keyof typeof waits)[]) {
    // What a check lacked is a part of its time.
    const ms = (line[waits[name]] ?? 0) - (name === 'check' ? (line.lookup_ms ?? 0) : 0)
    row.waited.set(name, (row.waited.get(name) ?? 0) + ms)
    rest_ms -= ms
  }
  row.waited.set('rest', (row.waited.get('rest') ?? 0) + Math.max(rest_ms, 0))
}

function describe(name: string, { buckets, requests, total_ms, waited }: Row): RequestFigures {
  const shares = Array.from(waited, ([wait, ms]) => ({
    for: wait,
    share: total_ms === 0 ? 0 : ms / total_ms,
  }))
  return {
    name,
    requests,
    total_ms: Math.round(total_ms),
    p50_ms: quantile(buckets, requests * 0.5),
    p99_ms: quantile(buckets, requests * 0.99),
    waits: shares.filter(({ share }) => share >= 0.01).toSorted((a, b) => b.share - a.share),
  }
}

function quantile(buckets: Map<number, number>, rank: number): number {
  let seen = 0
  for (const [bucket, count] of [...buckets].toSorted(([a], [b]) => a - b)) {
    seen += count
    if (seen >= rank) return Math.round(precision ** bucket * 10) / 10
  }
  return 0
}
