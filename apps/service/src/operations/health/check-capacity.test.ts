import { expect, test } from 'vitest'
import { checkCapacity } from './check-capacity.ts'

const server = { max_connections: 100, connections_in_use: 5, max_locks_per_transaction: 256 }
const config = { NODE_ENV: 'production', DB_POOL_SIZE: 10 }

test('warns if PostgreSQL has too few locks for erasures of old sessions, and says what to set', () => {
  const check = (max_locks_per_transaction: number, NODE_ENV = 'production') =>
    checkCapacity({ ...server, max_locks_per_transaction }, { ...config, NODE_ENV })
  expect(check(64)).toMatchObject([
    { check: 'database locks', status: 'warning', cure: expect.stringContaining('= 256') },
  ])
  expect(check(256)).toMatchObject([{ status: 'ok' }])
  expect(check(64, 'development')).toMatchObject([{ status: 'ok' }])
})

test('warns if a `serve` and a `work` can open more connections than PostgreSQL accepts', () => {
  const check = (DB_POOL_SIZE: number) => checkCapacity(server, { ...config, DB_POOL_SIZE })
  expect(check(47)).toMatchObject([{ status: 'ok' }])
  expect(check(48)).toMatchObject([
    { check: 'database connections', status: 'warning', cure: expect.stringContaining('to 101 or more') },
  ])
  const inUse = (connections_in_use: number) => checkCapacity({ ...server, connections_in_use }, config)
  expect(inUse(85)).toMatchObject([{ status: 'ok', says: expect.stringContaining('85 of 100') }])
  expect(inUse(86)).toMatchObject([{ check: 'database connections', status: 'warning' }])
})
