import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { extras } from '../../../../tools/modules.ts'
import { createTestDatabase } from '../../test/database/test-database.ts'
import { newLedgerFolder } from '../../test/ledger-folder.ts'
import { startProgram } from '../../test/processes/start-program.ts'
import { testEnvironment } from '../../test/service.ts'
import { waitUntil } from '../../test/wait-until.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-extras-'))
const preload = new URL('../../test/processes/list-modules.ts', import.meta.url).href

/** Folders of the service that only an extra has, and packages that only an extra uses. */
const places = [
  ...extras.map((extra) => `apps/service/src/${extra}`),
  'node_modules/@opentelemetry/sdk-trace',
]

const settings = {
  hsm: { MASTER_KEY_PREVIOUS_URI: 'pkcs11:token=a;object=b?module-path=/m.so&pin-source=file:/pin' },
  tracing: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
}

/** Where what a command loads belongs to an extra. One that runs until a signal gets it once it has started. */
async function extrasLoadedBy(args: string[], environment: Record<string, string> = {}): Promise<string[]> {
  await using database = await createTestDatabase()
  const list = join(folder, randomUUID())
  await using program = startProgram({
    args,
    environment: {
      ...testEnvironment(database.url, environment),
      NODE_OPTIONS: `--import=${preload}`,
      LOADED_MODULES: list,
    },
  })
  if (args.length === 1) {
    await waitUntil(() => /is listening|is running/.test(program.output()))
    // The rounds in progress of a worker, the first of each loop, are finished before it ends.
    program.child.kill('SIGINT')
  }
  expect([await program.ended, program.output()]).toEqual([0, expect.any(String)])
  const loaded = readFileSync(list, 'utf8')
  expect(loaded).toContain('\napps/service/src/program/context.ts\n')
  return places.filter((place) => loaded.includes(`\n${place}/`))
}

test.each(['serve', 'work'])('`%s` without extras loads none of them', async (command) => {
  expect(await extrasLoadedBy([command])).toEqual([])
})

test.each([
  ['serve', 'a key in a PKCS#11 token', () => settings.hsm, ['apps/service/src/engine/keyring/hsm']],
  [
    'work',
    'an erasure ledger',
    () => ({ ERASURE_LEDGER: newLedgerFolder() }),
    ['apps/service/src/engine/ledger/files', 'apps/service/src/operations/restore'],
  ],
  [
    'work',
    'a collector of traces',
    () => settings.tracing,
    ['apps/service/src/engine/observability/tracing', 'node_modules/@opentelemetry/sdk-trace'],
  ],
  [
    'serve',
    'all of them',
    () => ({ ...settings.hsm, ...settings.tracing, ERASURE_LEDGER: newLedgerFolder() }),
    places.filter((place) => !place.endsWith('tenant-moves')),
  ],
])('`%s` with %s loads only what belongs to it', async (command, _, environment, expected) => {
  expect(await extrasLoadedBy([command], environment())).toEqual(expected)
})

test('only commands load the moving of tenants', async () => {
  expect(await extrasLoadedBy(['admin', 'tenant', 'routes'])).toEqual([
    'apps/service/src/operations/tenant-moves',
  ])
})
