import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as contract from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { databaseUrl, dropDatabase, findServer } from '../../apps/service/src/platform/db/find-server.ts'
import { readBlocks, type Block } from './read-blocks.ts'
import { openTerminals, type Terminals } from './terminals.ts'

/** The quick start first: it starts what the others talk to. */
const documents = [
  'docs/quickstart.md',
  ...globSync(['*.md', 'docs/**/*.md', 'apps/*/*.md', 'packages/*/*.md'])
    .filter((file) => file !== 'docs/quickstart.md' && !file.includes('node_modules'))
    .toSorted(),
]
const blocks = documents.flatMap(readBlocks)
const shell = blocks.filter(({ language }) => language === 'sh')

/** What a block may be. A picture and a drawing of folders are looked at, not run. */
const kinds = new Set(['sh', 'json', 'ts', 'mermaid', ''])

test('every block is of a kind that is run, parsed or drawn', () => {
  expect(blocks.filter(({ language }) => !kinds.has(language)).map(nameOf)).toEqual([])
  expect(shell.length).toBeGreaterThan(20)
})

describe('commands', () => {
  let folder: string
  let database: string
  let terminals: Terminals
  const running = new Set<string>()

  beforeAll(async () => {
    folder = openClone()
    const server = await findServer()
    if (!server.found) throw new Error('no PostgreSQL answers here')
    database = databaseUrl(server.url, `vidimus_test_docs_${randomBytes(4).toString('hex')}`)
    const [port, receiver_port] = [await freePort(), await freePort()]
    const { PATH, HOME } = process.env
    terminals = openTerminals({
      cwd: folder,
      environment: {
        PATH: `${folder}/bin:${PATH}`,
        HOME,
        DATABASE_URL: database,
        PORT: String(port),
        RECEIVER_PORT: String(receiver_port),
      },
    })
  })

  afterAll(async () => {
    await terminals[Symbol.asyncDispose]()
    await dropDatabase(database)
    rmSync(folder, { recursive: true })
  })

  // What only installs is run by `npm run quickstart` and by `.ci/run`, in a clean clone.
  test.each(
    shell.filter(({ words }) => !('install' in words)).map((block) => [nameOf(block), block] as const),
  )('%s runs, and shows what it says', { timeout: 120_000 }, async (_name, block) => {
    if (block.words['terminal'] !== undefined && running.has(block.text)) return
    running.add(block.text)
    const { output } = await terminals.run(block)
    expect(output).toContain(block.words['shows'] ?? '')
  })

  test('the receiver of the quick start has been told of its verification', async () => {
    await expect
      .poll(() => terminals.shown('receiver'), { timeout: 20_000 })
      .toMatch(/verification\.completed .* true/)
  })
})

describe('JSON', () => {
  const Webhook = z.strictObject({
    type: z.enum(['verification.completed', 'verification.failed']),
    verification: contract.Verification,
    sent_at: z.iso.datetime(),
  })
  const schemas: Record<string, z.ZodType> = { Webhook, Error: contract.ErrorEnvelope }

  test.each(
    blocks.filter(({ language }) => language === 'json').map((block) => [nameOf(block), block] as const),
  )('%s can be read, and keeps the contract', (_name, { text, words }) => {
    const value: unknown = JSON.parse(text)
    const name = words['of']
    if (name === undefined) return
    const schema = schemas[name]
    expect(schema).toBeDefined()
    expect(schema?.safeParse(value).error).toBeUndefined()
  })
})

test('every piece of TypeScript stands as it is in a source file, which is type-checked', () => {
  const sources = globSync(['apps/*/{src,test}/**/*.ts', 'packages/*/{src,test}/**/*.ts']).map((file) =>
    readFileSync(file, 'utf8'),
  )
  const strange = blocks
    .filter(({ language }) => language === 'ts')
    .filter(({ text }) => !sources.some((source) => source.includes(text.replace(/^\/\/ \S+\n/, ''))))

  expect(strange.map(nameOf)).toEqual([])
})

function nameOf({ document, line }: Block): string {
  return `${document}:${line}`
}

/** A reader's clone: everything of this one, and a folder `.vidimus` of its own. The program is there by its name too. */
function openClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-docs-'))
  for (const name of ['package.json', 'node_modules', 'apps', 'packages', 'docs'])
    symlinkSync(join(process.cwd(), name), join(folder, name))
  mkdirSync(join(folder, 'bin'))
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  writeFileSync(join(folder, 'bin/vidimus'), '#!/bin/sh\nexec node apps/service/src/main.ts "$@"\n', {
    mode: 0o755,
  })
  return folder
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one
  server.close()
  return port
}
