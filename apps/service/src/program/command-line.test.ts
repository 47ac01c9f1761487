import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runProgram } from '../../test/processes/run-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'vidimus-modules-'))
const preload = new URL('../../test/processes/list-modules.ts', import.meta.url).href

/** The source files of the service that a call of the program loads, and how many modules of packages. */
async function loadedBy(args: string): Promise<{ files: string[]; packages: number }> {
  const list = join(folder, args.replaceAll(' ', '-'))
  await runProgram(args.split(' '), { NODE_OPTIONS: `--import=${preload}`, LOADED_MODULES: list })
  const loaded = readFileSync(list, 'utf8').split('\n')
  return {
    files: loaded.flatMap((path) => /^apps\/service\/src\/(.*)/.exec(path)?.[1] ?? []).toSorted(),
    packages: loaded.filter((path) => path.includes('node_modules/')).length,
  }
}

/** What every call loads. */
const commandLine = [
  'engine/basics/suggest.ts',
  'engine/basics/version.ts',
  'main.ts',
  'program/command-line.ts',
  'program/commands/command.ts',
  'program/commands/summaries.ts',
]

test.each([
  'help',
  '--help',
  'admin',
  'help admin tenant',
  '--version',
  'tenat',
  'help nothing',
  'tenant create',
])('`vidimus %s` loads no command', async (args) => {
  expect(await loadedBy(args)).toEqual({ files: commandLine, packages: 0 })
})

test.each([
  ['help health', 'program/commands/health.ts'],
  ['health --help', 'program/commands/health.ts'],
  ['help admin key create', 'program/commands/key.ts'],
])('`vidimus %s` loads that command and no other', async (args, file) => {
  const { files } = await loadedBy(args)
  const shared = ['command', 'summaries', 'options', 'with-context'].map(
    (name) => `program/commands/${name}.ts`,
  )
  expect(files.filter((name) => name.startsWith('program/commands/') && !shared.includes(name))).toEqual([
    file,
  ])
})
