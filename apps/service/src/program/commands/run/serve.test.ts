import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { startProcesses } from '../../../../test/processes/processes.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { openRawConnection } from '../../../../test/network/raw-connection.ts'
import { testEnvironment } from '../../../../test/service.ts'

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`

test('a process that stops is not ready, closes each connection after a response, and exits in time', async () => {
  await using service = await startProcesses(1)
  const [{ address, child, log } = { address: '', child: undefined, log: () => '' }] = service.processes
  using connection = openRawConnection(address)
  connection.write(get('/readyz'))
  expect(await connection.readResponse()).toMatchObject({
    status: 200,
    headers: { connection: 'keep-alive' },
  })
  const exit = child && once(child, 'exit')
  child?.kill('SIGTERM')
  await sleep(500)

  const ready = await fetch(`${address}/readyz`)
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '1'])
  expect(await ready.json()).toMatchObject({ error: { code: 'overloaded' } })
  // An open connection is served and then closed.
  connection.write(get('/healthz'))
  expect(await connection.readResponse()).toMatchObject({ status: 200, headers: { connection: 'close' } })
  expect(await connection.closed).toBe('ended')
  expect(await exit).toEqual([0, null])
  expect(log()).toContain('"message":"stopping"')
})

test('a request in progress when the process stops is completed', async () => {
  await using service = await startProcesses(1)
  const [first] = service.processes
  const { key } = await service.tenant()
  using slow = openRawConnection(first?.address ?? '')
  const body = '{"template":"age_over_18"}'
  slow.write(
    `POST /v1/verifications HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  await sleep(300)
  first?.child.kill('SIGTERM')
  await sleep(4000)
  slow.write(body)

  expect(await slow.readResponse()).toMatchObject({ status: 201, headers: { connection: 'close' } })
})

test('reports a database that is down or not migrated in one line', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const unmigrated = await runProgram(['serve'], testEnvironment(empty.url))
  const missing = await runProgram(['serve'], testEnvironment('postgres://postgres@127.0.0.1:1/none'))
  const unconfigured = await runProgram(['serve'], {})

  for (const { status, stdout } of [unmigrated, missing, unconfigured])
    expect([status, stdout]).toEqual([1, ''])
  expect(unmigrated.stderr).toContain('vidimus migrate')
  expect(missing.stderr).toBe("Can't connect to PostgreSQL at 127.0.0.1:1. Is it running?\n")
  expect(unconfigured.stderr).toContain('DATABASE_URL is required')
})
