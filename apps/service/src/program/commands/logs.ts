import { setTimeout as sleep } from 'node:timers/promises'
import { FilterRequests, RequestPage, type LoggedRequest } from '@vidimus/contract'
import { callForJson, findService, serviceOptions, UnavailableError, type Service } from './call-service.ts'
import { command, printMessage, printResult } from './command.ts'
import { describeOptions, jsonLinesOption } from './options.ts'
import { watchNpm } from './run/watch-npm.ts'

const filters = ['status', 'route', 'error_code', 'key_id', 'device_id', 'verification_id', 'limit'] as const

const interval_ms = 2000
/** Requests are written within a few seconds, and not in the order of their times. */
const overlap_ms = 15_000
/** Of one look. What is older than these is left out, and said. */
const maxPages = 10

export const logsTailCommand = command({
  options: { ...describeOptions(FilterRequests, filters), ...serviceOptions, json: jsonLinesOption },
  async run({ values }) {
    const service = findService(values)
    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())
    watchNpm(() => stop.abort())
    const query = Object.fromEntries(
      filters.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])),
    )
    for await (const request of tail(service, query, stop.signal))
      printResult(values, request, [describe(request)])
  },
})

/** The last requests, and then each one that is recorded, until the signal. */
async function* tail(
  service: Service,
  query: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<LoggedRequest> {
  const first = await readPage(service, { limit: '10', ...query })
  if (first.recording !== 'on') printMessage(`Requests are not recorded now (${first.recording}).`)
  let printed = new Map<string, string>()
  let page = first.data
  while (!signal.aborted) {
    const fresh = page.filter(({ id, route }) => !printed.has(id) && route !== '/v1/requests')
    yield* fresh.toReversed()
    const newest = [...page.map(({ at }) => at), ...printed.values()].toSorted().at(-1)
    const from = newest === undefined ? undefined : new Date(Date.parse(newest) - overlap_ms).toISOString()
    // What is before it will not be returned again.
    printed = new Map(
      [...printed, ...page.map(({ id, at }) => [id, at] as const)].filter(([, at]) => at >= (from ?? '')),
    )
    await sleep(interval_ms, undefined, { signal }).catch(() => {})
    if (!signal.aborted)
      page = await readSince(service, { ...query, limit: '100', ...(from !== undefined && { from }) })
  }
}

/** Newest first. Empty while the service cannot respond. */
async function readSince(service: Service, query: Record<string, string>): Promise<LoggedRequest[]> {
  const requests: LoggedRequest[] = []
  try {
    let before: string | undefined
    for (let pages = 0; pages < maxPages; pages += 1) {
      const page = await readPage(service, { ...query, ...(before !== undefined && { before }) })
      requests.push(...page.data)
      before = page.next_before
      if (before === undefined) return requests
    }
    printMessage(
      `More than ${requests.length} requests in ${overlap_ms / 1000} seconds; older ones are left out.`,
    )
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error
  }
  return requests
}

function readPage(service: Service, query: Record<string, string>): Promise<RequestPage> {
  return callForJson(service, `/v1/requests?${new URLSearchParams(query).toString()}`, {
    schema: RequestPage,
  })
}

function describe({
  at,
  method,
  route,
  status,
  error_code,
  warning,
  duration_ms,
  request_id,
}: LoggedRequest): string {
  const details = [error_code, warning].filter((text) => text !== undefined)
  return [at.slice(0, 19), status, method, route, `${Math.round(duration_ms)} ms`, request_id, ...details]
    .join('  ')
    .replaceAll(/\p{Cc}/gu, ' ')
}
