import { expect, test } from 'vitest'
import { openLog } from '../observability/log.ts'
import { openMetrics } from '../observability/metrics.ts'
import { DatabaseUnreachableError, QueryTimeoutError } from './failures.ts'
import { observeDatabase, quiet_ms } from './observe-database.ts'

function open() {
  const lines: Record<string, unknown>[] = []
  const log = openLog({ LOG_LEVEL: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const clock = { ms: 0 }
  const metrics = openMetrics()
  return { observer: observeDatabase({ log, metrics }, { now_ms: () => clock.ms }), clock, lines, metrics }
}

test('a thousand failures are one line for each kind, and one more once nothing has failed for a while', async () => {
  const { observer, clock, lines, metrics } = open()
  observer.onSuccess()
  for (let count = 0; count < 500; count += 1) {
    observer.onFailure('unreachable', new DatabaseUnreachableError('no connection'))
    observer.onFailure('no_response', new QueryTimeoutError('no response'))
    clock.ms += 10
    // With a full disk, or one broken connection, others succeed meanwhile.
    observer.onSuccess()
  }
  expect(lines.map(({ failure, message }) => [failure, message])).toEqual([
    ['unreachable', 'the database fails'],
    ['no_response', 'the database fails'],
  ])

  clock.ms += quiet_ms
  observer.onSuccess()
  observer.onSuccess()
  expect(lines.slice(2)).toMatchObject([
    { message: 'the database works again', failures: 1000, seconds: 5, level: 'info' },
  ])
  observer.onFailure('unreachable', new DatabaseUnreachableError('no connection'))
  expect(lines).toHaveLength(4)
  expect(await metrics.registry.metrics()).toContain(
    'vidimus_database_failures_total{failure="unreachable"} 501',
  )
})

test('a database that has not worked yet is only counted: the command that cannot start says so', () => {
  const { observer, lines } = open()
  observer.onFailure('unreachable', new DatabaseUnreachableError('no connection'))
  expect(lines).toEqual([])
  observer.onSuccess()
  observer.onFailure('unreachable', new DatabaseUnreachableError('no connection'))
  expect(lines).toMatchObject([{ message: 'the database fails' }])
})

test('statements are counted by module', async () => {
  const { observer, metrics } = open()
  observer.onStatement('trust', 0.02)
  observer.onStatement('trust', 0.3)
  expect(await metrics.registry.metrics()).toContain(
    'db_client_operation_duration_seconds_count{module="trust"} 2',
  )
})
