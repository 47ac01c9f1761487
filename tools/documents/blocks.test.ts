import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ErrorEnvelope, Verification, WebhookPayload } from '@vidimus/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  databaseUrl,
  dropDatabase,
  findServer,
} from '../../apps/service/src/engine/db/connection/find-server.ts'
import { readBlocks, type Block } from './read-blocks.ts'
import { inheritedVariables } from '../../apps/service/test/processes/inherited-variables.ts'
import { installProgram, openShells, type Shells } from './shells.ts'

/** These come first, because they start the service and the receiver that the others use. */
const first = ['docs/operate/local.md', 'docs/guides/quickstart.md']
const documents = [
  ...first,
  ...globSync(['*.md', 'docs/**/*.md', 'apps/*/*.md', 'packages/*/*.md', 'examples/*.md'])
    .filter((file) => !first.includes(file) && !file.includes('node_modules'))
    .toSorted(),
]
const blocks = documents.flatMap(readBlocks)
/** The commands about incidents run in the incidents, and those of an installation on an empty machine: incidents.test.ts, install.test.ts. */
const shell = blocks.filter(
  ({ language, document }) =>
    language === 'sh' &&
    !document.startsWith('docs/operate/incidents/') &&
    document !== 'docs/operate/install.md',
)

/** The allowed languages. Diagrams, folder trees, parts of components and Android apps are not run. */
const kinds = new Set(['sh', 'json', 'ts', 'tsx', 'html', 'kotlin', 'mermaid', ''])

test('every code block has a known language', () => {
  expect(blocks.filter(({ language }) => !kinds.has(language)).map(blockName)).toEqual([])
  expect(shell.length).toBeGreaterThan(20)
})

describe('commands', () => {
  let folder: string
  let database: string
  let shells: Shells
  let address: string
  const running = new Set<string>()

  beforeAll(async () => {
    folder = openClone()
    const server = await findServer()
    if (!server.found) throw new Error('found no PostgreSQL server; set DATABASE_URL')
    database = databaseUrl(server.url, `vidimus_test_docs_${randomBytes(4).toString('hex')}`)
    const [port, receiver_port] = [await freePort(), await freePort()]
    address = `http://127.0.0.1:${port}`
    const { PATH, HOME } = process.env
    shells = openShells({
      cwd: folder,
      environment: {
        ...inheritedVariables(),
        PATH: `${folder}/bin:${PATH}`,
        HOME,
        DATABASE_URL: database,
        PORT: String(port),
        RECEIVER_PORT: String(receiver_port),
        // The variables that a reader sets in every terminal.
        BASH_ENV: `${folder}/.vidimus/dev.env`,
      },
    })
  })

  afterAll(async () => {
    await shells[Symbol.asyncDispose]()
    await dropDatabase(database)
    rmSync(folder, { recursive: true })
  })

  // `npm run quickstart` and `.ci/run` run the installation steps, in a clean clone.
  test.each(
    shell
      .filter(({ attributes }) => !('install' in attributes || 'example' in attributes))
      .map((block) => [blockName(block), block] as const),
  )('%s runs and prints the documented output', { timeout: 120_000 }, async (_name, block) => {
    if (block.attributes['terminal'] !== undefined && running.has(block.text)) return
    running.add(block.text)
    await waitUntilNotOverloaded(address)
    const { output } = await shells.run(block)
    expect(output).toContain(block.attributes['shows'] ?? '')
  })

  test('the receiver of the quick start gets the webhook of its verification', async () => {
    await expect
      .poll(() => shells.output('receiver'), { timeout: 20_000 })
      .toMatch(/verification\.completed .* true/)
  })
})

describe('JSON', () => {
  const schemas = { WebhookPayload, Error: ErrorEnvelope, Verification }

  test.each(
    blocks.filter(({ language }) => language === 'json').map((block) => [blockName(block), block] as const),
  )('%s is valid JSON and matches its schema', (_name, { text, attributes }) => {
    const value: unknown = JSON.parse(text)
    const name = attributes['of']
    if (name === undefined) return
    const [, schema] = Object.entries(schemas).find(([known]) => known === name) ?? []
    expect(schema?.safeParse(value)).toMatchObject({ success: true })
  })
})

describe('HTML', () => {
  const pages = blocks.filter(({ language }) => language === 'html')
  const element = readFileSync('packages/component/src/element.ts', 'utf8')
  const { version } = JSON.parse(readFileSync('packages/component/package.json', 'utf8'))

  test.each(pages.map((block) => [blockName(block), block] as const))(
    '%s names attributes and a file that the component has',
    (_name, { text }) => {
      const tags = [...text.matchAll(/<vidimus-verify\s([^>]*)>/g)].map(([, inside = '']) => inside)
      const files = text.match(/vidimus-verify-[^"]*[.]js/g) ?? []

      expect(tags.length + files.length).toBeGreaterThan(0)
      for (const [, attribute] of tags.join(' ').matchAll(/([a-z-]+)=/g))
        expect(element).toContain(`'${attribute}'`)
      for (const file of files) expect(file).toBe(`vidimus-verify-${version}.js`)
    },
  )
})

describe('TypeScript', () => {
  const tsBlocks = blocks.filter(({ language }) => language === 'ts')
  const programs = tsBlocks.filter(({ text }) => text.startsWith('import '))

  test('every program type-checks against the packages', async () => {
    const folder = 'node_modules/.cache/documents'
    mkdirSync(folder, { recursive: true })
    writeFileSync(`${folder}/reader.d.ts`, readerDeclarations)
    const files = programs.map((block, index) => {
      const file = `${folder}/${index}.ts`
      writeFileSync(file, `// ${blockName(block)}\n${block.text}`)
      return file
    })

    expect(programs.length).toBeGreaterThan(0)
    await expect(checkTypes([`${folder}/reader.d.ts`, ...files])).resolves.toBe('')
  })

  test('every other TypeScript block appears verbatim in a source file', () => {
    const sources = globSync(['apps/*/{src,test}/**/*.ts', 'packages/*/{src,test}/**/*.ts']).map((file) =>
      readFileSync(file, 'utf8'),
    )
    const notInSource = tsBlocks
      .filter((piece) => !programs.includes(piece))
      .filter(({ text }) => !sources.some((source) => source.includes(text.replace(/^\/\/ \S+\n/, ''))))

    expect(notInSource.map(blockName)).toEqual([])
  })
})

/** Declarations that the examples expect from the surrounding program. */
const readerDeclarations = `
declare function redirectHolder(address: string): void
declare const rawBytes: Uint8Array
declare const request: Request
`

function checkTypes(files: string[]): Promise<string> {
  const options =
    '--noEmit --strict --module nodenext --target es2025 --lib es2025,dom --allowImportingTsExtensions --skipLibCheck'
  const program = [
    'node_modules/typescript-7/bin/tsc',
    '--ignoreConfig',
    ...options.split(' '),
    '--types',
    'node',
    ...files,
  ]
  return new Promise((resolve) => {
    execFile(process.execPath, program, (error, stdout, stderr) =>
      resolve(error === null ? '' : stdout + stderr),
    )
  })
}

function blockName({ document, line }: Block): string {
  return `${document}:${line}`
}

/** A clone made of symbolic links, with its own `.vidimus` folder and a `vidimus` command. */
function openClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vidimus-docs-'))
  for (const name of ['package.json', 'node_modules', 'apps', 'packages', 'docs'])
    symlinkSync(join(process.cwd(), name), join(folder, name))
  installProgram(folder)
  symlinkSync(process.execPath, join(folder, 'bin/node'))
  return folder
}

/** On a busy machine the service may return 503 for a moment, and a reader would try again. */
async function waitUntilNotOverloaded(address: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    const response = await fetch(`${address}/v1/verifications/none/status`).catch(() => undefined)
    if (response?.status !== 503) return
    await sleep(100)
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server has one
  server.close()
  return port
}
