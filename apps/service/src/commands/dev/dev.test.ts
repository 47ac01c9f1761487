import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { caller } from '../../../test/caller.ts'
import { createTestDatabase } from '../../../test/database/test-database.ts'
import { runProgram } from '../../../test/processes/run-program.ts'
import { findServer } from '../../platform/db/connection/find-server.ts'

const program = fileURLToPath(new URL('../../main.ts', import.meta.url))

function ownFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-dev-'))
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

/** Runs `vidimus dev` until it is ready, uses it, and stops it. */
async function dev(
  folder: string,
  database_url: string,
  use: (shown: string) => Promise<void>,
): Promise<void> {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database_url, PORT: '0' }
  const child = spawn(process.execPath, [program, 'dev', '--folder', folder], { env })
  const shown: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => shown.push(chunk.toString()))
  try {
    await expect.poll(() => shown.join(''), { timeout: 60_000 }).toContain('Ready.')
    await use(shown.join(''))
  } finally {
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  }
}

test(
  'one command migrates, serves and prints a working key, which the next start reuses',
  { timeout: 150_000 },
  async () => {
    await using database = await createTestDatabase({ empty: true })
    using own = ownFolder()
    const keys: string[] = []
    while (keys.length < 2) {
      await dev(own.folder, database.url, async (shown) => {
        const [url = ''] = /http:\/\/localhost:\d+/.exec(shown) ?? []
        const [key = ''] = /vk_test_\w+/.exec(shown) ?? []
        const response = await caller(url, key).get('/v1/usage')

        expect(response.status).toBe(200)
        keys.push(key)
      })
    }

    expect(keys[1]).toBe(keys[0])
    expect(statSync(join(own.folder, 'dev.env')).mode & 0o777).toBe(0o600)
  },
)

test('explains what prevents a start', async () => {
  await using database = await createTestDatabase({ empty: true })
  using own = ownFolder()
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo // a TCP server has a port
  const run = (more: Record<string, string>) =>
    runProgram(['dev', '--folder', own.folder], { DATABASE_URL: database.url, ...more })
  const [production, absent, busy] = [
    await run({ NODE_ENV: 'production' }),
    await run({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' }),
    await run({ PORT: String(port) }),
  ]
  taken.close()

  for (const { status } of [production, absent, busy]) expect(status).toBe(1)
  expect(production.stderr).toContain('Use `serve` and `work`')
  expect(absent.stderr).toContain("Can't connect to PostgreSQL at 127.0.0.1:1. Is it running?")
  expect(busy.stderr).toContain(`Port ${port} is taken`)
})

test('without DATABASE_URL it looks for a local PostgreSQL and notices if there is none', async () => {
  expect(await findServer(1)).toMatchObject({ found: false, listening: false })
})
