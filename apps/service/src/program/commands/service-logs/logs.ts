import { createReadStream } from 'node:fs'
import { hashForLog, traceIdOf } from '../../../engine/observability/index.ts'
import { command, printResult, UsageError } from '../command.ts'
import { readLines, throwUnreadable } from '../audit/check.ts'
import { jsonOption, parseUuid } from '../options.ts'
import { withContext } from '../with-context.ts'
import { collectSlowRequests, type SlowReport } from './slow-requests.ts'

export const logsSlowCommand = command({
  options: {
    tenant: { type: 'string', description: "the tenant's id; without it, the tenants are compared" },
    file: { type: 'string', description: 'the log, as JSON lines (default: standard input)' },
    json: jsonOption,
  },
  async run({ values }) {
    const collected = collectSlowRequests(
      values.tenant === undefined ? undefined : parseUuid('tenant', values.tenant),
    )
    const { file } = values
    const bytes: AsyncIterable<Buffer> = file === undefined ? process.stdin : createReadStream(file)
    try {
      for await (const line of readLines(bytes)) collected.line(line)
    } catch (error) {
      throwUnreadable(file ?? 'standard input', error)
    }
    const report = collected.report()
    printResult(values, report, describe(report, values.tenant === undefined ? 'tenant' : 'route'))
  },
})

function describe({ requests, rows: figures, refused }: SlowReport, what: string): string[] {
  if (requests === 0) return ['The log has no request of a tenant. LOG_LEVEL must be info, debug or trace.']
  const rows = figures.map(({ name, requests: count, p50_ms, p99_ms, waits }) => [
    String(count),
    String(p50_ms),
    String(p99_ms),
    name,
    waits.map(({ for: wait, share }) => `${wait} ${Math.round(share * 100)} %`).join(', '),
  ])
  const codes = Object.entries(refused).map(([code, count]) => `${count} ${code}`)
  return [
    ...alignRows([['requests', 'p50 ms', 'p99 ms', what, 'spent on'], ...rows]),
    `refused: ${codes.length === 0 ? 'none' : codes.join(', ')}`,
  ]
}

function alignRows(rows: string[][]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  // Numbers to the right.
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 3 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}

export const logsVerificationCommand = command({
  positionals: ['VERIFICATION_ID'],
  options: { json: jsonOption },
  async run({ values, positionals: [id = ''] }) {
    const found = await withContext(async ({ keyring }) => ({
      verification: hashForLog(keyring, id),
      trace_id: await traceIdOf(keyring, id),
    }))
    if (found.trace_id === undefined) throw new UsageError(`${id} is not the id of a verification`)
    printResult(values, found, [`verification  ${found.verification}`, `trace_id      ${found.trace_id}`])
  },
})
