import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '../../apps/service/test/database/test-database.ts'
import { startCollector } from '../../apps/service/test/network/collector.ts'
import { buildPackage } from '../../packages/sdk/build-package.ts'
import { buildProgram } from './build-program.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'vidimus-packages-'))
// An image may have a `src` above the program, which must not be mistaken for the program's own.
const project = join(folder, 'src/project')
const program = join(project, 'node_modules/.bin/vidimus')
const { version } = JSON.parse(readFileSync('apps/service/package.json', 'utf8'))

beforeAll(async () => {
  await buildProgram(join(folder, 'vidimus'))
  await buildPackage(pathToFileURL(join(folder, 'sdk/')))
  const tarballs: string[] = []
  for (const name of ['vidimus', 'sdk']) {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], {
      cwd: join(folder, name),
    })
    tarballs.push(join(folder, stdout.trim()))
  }
  mkdirSync(project, { recursive: true })
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  // The dependencies are those of this repository, so npm's cache has them.
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: project })
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true }))

test('publint reports nothing about the program', async () => {
  const { messages } = await publint({ pkgDir: join(folder, 'vidimus'), strict: true, pack: false })
  expect(messages).toEqual([])
})

test('the installed program prints its version and its commands', async () => {
  expect((await run(program, ['--version'])).stdout).toBe(`vidimus ${version}\n`)
  const { stdout } = await run(program, ['--help'])
  expect(stdout).toMatch(/^vidimus <command>.*\n\n {2}dev (?:.*\n)*Operate a service:\n/)
})

test('the installed SDK can be imported and required', async () => {
  const show = 'console.log(typeof createClient, typeof webhooks.verify)'
  writeFileSync(join(project, 'a.mjs'), `import { createClient, webhooks } from '@vidimus/sdk'\n${show}`)
  writeFileSync(join(project, 'a.cjs'), `const { createClient, webhooks } = require('@vidimus/sdk')\n${show}`)
  for (const file of ['a.mjs', 'a.cjs'])
    expect((await run(process.execPath, [file], { cwd: project })).stdout).toBe('function function\n')
})

test(
  'the installed program runs a service with its pages, and completes a verification',
  { timeout: 180_000 },
  async () => {
    await using database = await createTestDatabase({ empty: true })
    await using collector = await startCollector()
    const env = {
      PATH: process.env['PATH'],
      DATABASE_URL: database.url,
      PORT: '0',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    }
    const child = spawn(program, ['dev'], { cwd: project, env })
    const chunks: string[] = []
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => chunks.push(String(chunk)))
    try {
      await expect.poll(() => chunks.join(''), { timeout: 120_000 }).toContain('Ready.')
      const [url = ''] = /http:\/\/localhost:\d+/.exec(chunks.join('')) ?? []
      const [key = ''] = /vk_test_\w+/.exec(chunks.join('')) ?? []
      for (const path of [
        '/dashboard',
        '/till',
        '/docs',
        '/docs/guides/quickstart',
        '/openapi.json',
        '/favicon.svg',
      ])
        expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
      const created = await fetch(`${url}/v1/verifications`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"template": "age_over_18"}',
      })
      const { id, wallet_uri } = (await created.json()) as { id: string; wallet_uri: string }
      // Without DATABASE_URL the command asks the service's own sandbox wallet.
      const { stdout } = await run(program, ['wallet', 'respond', wallet_uri], {
        env: { PATH: process.env['PATH'] },
      })
      expect(stdout).toMatch(/^200 /)
      const status = await fetch(`${url}/v1/verifications/${id}/status`)
      expect(await status.json()).toMatchObject({ status: 'completed' })
    } finally {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    }
    const statements = collector.spans.map(({ name }) => name).filter((name) => name.startsWith('sql '))
    expect(statements).toEqual(
      expect.arrayContaining([
        'sql begin',
        'sql accounts.findKeys',
        'sql verifications.createVerifications',
        'sql verifications.recordResponses',
      ]),
    )
    // Each is named by a slice of the service, and not all by the same function.
    const senders = new Set(statements.filter((name) => name.includes('.')))
    expect(senders.size).toBeGreaterThan(10)
    const slices = readdirSync('apps/service/src')
    expect([...senders].filter((name) => !slices.includes(name.slice(4, name.indexOf('.'))))).toEqual([])
    expect(statements.filter((name) => /startStatement|observability\/tracing/.test(name))).toEqual([])
  },
)
