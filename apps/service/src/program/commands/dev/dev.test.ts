import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseEnv } from 'node:util'
import { expect, test, vi } from 'vitest'
import { caller } from '../../../../test/caller.ts'
import { createTestDatabase } from '../../../../test/database/test-database.ts'
import { runProgram } from '../../../../test/processes/run-program.ts'
import { findServer } from '../../../engine/db/connection/find-server.ts'
import { buildFrontEnds } from './build-front-ends.ts'
import { databaseName } from './choose-database.ts'
import { readDevSettings, saveDevSettings, updateDevSecret } from './dev-settings.ts'

const program = fileURLToPath(new URL('../../../main.ts', import.meta.url))

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
  'one command migrates, serves and prints a working key, which the next start reuses, with the current secret',
  { timeout: 150_000 },
  async () => {
    await using database = await createTestDatabase({ empty: true })
    using own = ownFolder()
    const keys: string[] = []
    let secret = 'whsec_'
    while (keys.length < 2) {
      await dev(own.folder, database.url, async (shown) => {
        const [url = ''] = /http:\/\/localhost:\d+/.exec(shown) ?? []
        const [key = ''] = /vk_test_\w+/.exec(shown) ?? []
        const response = await caller(url, key).get('/v1/usage')

        expect(response.status).toBe(200)
        keys.push(key)
        expect(shown).toContain(secret)
      })
      secret = await rotateSecret(own.folder)
    }

    expect(keys[1]).toBe(keys[0])
    expect(statSync(join(own.folder, 'dev.env')).mode & 0o777).toBe(0o600)
  },
)

/** As a developer does who has loaded dev.env in another folder. */
async function rotateSecret(folder: string): Promise<string> {
  const {
    VIDIMUS_TENANT = '',
    DATABASE_URL = '',
    MASTER_KEY = '',
  } = parseEnv(readFileSync(join(folder, 'dev.env'), 'utf8'))
  const args = ['admin', 'secret', 'rotate', '--tenant', VIDIMUS_TENANT, '--json']
  const { stdout } = await runProgram(args, { DATABASE_URL, MASTER_KEY })
  return JSON.parse(stdout).webhook_secret
}

test('a rotation in the folder of dev.env replaces the secret there', () => {
  using own = ownFolder()
  saveDevSettings(own.folder, { VIDIMUS_TENANT: 'a', VIDIMUS_KEY: 'k', VIDIMUS_WEBHOOK_SECRET: 'old' })
  updateDevSecret(own.folder, 'another tenant', 'unrelated')
  expect(readDevSettings(own.folder, undefined)).toMatchObject({ VIDIMUS_WEBHOOK_SECRET: 'old' })
  updateDevSecret(own.folder, 'a', 'new')
  expect(readDevSettings(own.folder, undefined)).toEqual({
    VIDIMUS_TENANT: 'a',
    VIDIMUS_KEY: 'k',
    VIDIMUS_WEBHOOK_SECRET: 'new',
  })
  updateDevSecret(join(own.folder, 'absent'), 'a', 'new')
  expect(existsSync(join(own.folder, 'absent'))).toBe(false)
})

test('every folder has a database of its own, with a name that PostgreSQL accepts', () => {
  const names = [
    '/home/ann/shop/.vidimus',
    '/home/ben/shop/.vidimus',
    '/srv/Größe & "Name"/.vidimus',
    '/.vidimus',
  ].map(databaseName)
  expect(names[0]).toMatch(/^vidimus_dev_shop_[0-9a-f]{6}$/)
  expect(new Set(names).size).toBe(names.length)
  const long = databaseName(`/${'n'.repeat(300)}/.vidimus`)
  for (const name of [...names, long]) expect(name).toMatch(/^[a-z0-9_]{1,63}$/)
})

test('missing front ends are built once, and a failed build does not prevent a start', async () => {
  const messages: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => messages.push(String(text)) > 0)
  await buildFrontEnds({ isBuilt: () => true, build: () => Promise.reject(new Error('not needed')) })
  expect(messages).toEqual([])
  await buildFrontEnds({ isBuilt: () => false, build: () => Promise.resolve(false) })
  vi.restoreAllMocks()
  expect(messages.join('')).toMatch(/^Building the dashboard.*\nThey could not be built\./)
})

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
