import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  findServer,
} from '../apps/service/src/engine/db/connection/find-server.ts'
import { readBlocks } from './documents/read-blocks.ts'
import { installProgram, openShells } from './documents/shells.ts'

/**
 * `npm run quickstart`: runs the commands of docs/operate/local.md and docs/guides/quickstart.md in a clean clone with an empty database, and prints the
 * time of each step. Set PORT and RECEIVER_PORT if the default ports are in use.
 */
const clone = mkdtempSync(join(tmpdir(), 'vidimus-quickstart-'))
const server = process.env['DATABASE_URL'] ?? (await localServer())
const database = databaseUrl(server, `vidimus_quickstart_${randomBytes(4).toString('hex')}`)
execFileSync('git', ['clone', '--quiet', '--no-hardlinks', process.cwd(), clone])
await createDatabase(database)
installProgram(clone)
try {
  await runQuickstart()
} finally {
  rmSync(clone, { recursive: true })
  await dropDatabase(database)
}

async function runQuickstart(): Promise<void> {
  const { PATH, HOME, PORT, RECEIVER_PORT, npm_config_registry } = process.env
  // A reader's PATH: npm adds the folders of this repository's binaries, which a reader does not have.
  const path = PATH?.split(':').filter((part) => !part.includes('node_modules'))
  await using shells = openShells({
    cwd: clone,
    environment: {
      PATH: [join(clone, 'bin'), ...(path ?? [])].join(':'),
      BASH_ENV: join(clone, '.vidimus/dev.env'),
      HOME,
      PORT,
      RECEIVER_PORT,
      npm_config_registry,
      DATABASE_URL: database,
    },
  })
  const started = performance.now()
  let installed = started
  const blocks = ['docs/operate/local.md', 'docs/guides/quickstart.md']
    .flatMap(readBlocks)
    .filter(({ language, attributes }) => language === 'sh' && !('example' in attributes))
  for (const block of blocks) {
    const { output, seconds } = await shells.run(block)
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${block.text.trim().split('\n').at(-1)?.trim()}`)
    if ('install' in block.attributes) installed = performance.now()
    const expected = block.attributes['shows']
    if (expected !== undefined && !output.includes(expected))
      throw new Error(
        `the output of ${block.document}:${block.line} does not contain ${expected}:\n${output}`,
      )
  }
  const received = await waitFor(() => /verification\.completed/.test(shells.output('receiver')))
  const after = (performance.now() - installed) / 1000
  const whole = (performance.now() - started) / 1000
  if (!received) throw new Error(`no webhook was received:\n${shells.output('receiver')}`)
  console.log(
    `a completed verification and its webhook: ${after.toFixed(1)} s after npm ci, ${whole.toFixed(1)} s in all`,
  )
  if (whole > 300) throw new Error('the quick start takes more than five minutes')
}

async function waitFor(condition: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 200 && !condition(); tries += 1) await sleep(50)
  return condition()
}

async function localServer(): Promise<string> {
  const found = await findServer()
  if (!found.found) throw new Error('found no PostgreSQL server; set DATABASE_URL')
  return found.url
}
