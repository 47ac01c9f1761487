import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShells, type Shells } from '../shells.ts'
import { matchesOutput, readCommands, type DocumentedCommand } from './read-commands.ts'
import { startInstallation, type Installation } from './start-installation.ts'
import { create } from './calls.ts'
import { openStates } from './states.ts'

const pages = globSync('docs/operate/incidents/*.md').filter((page) => !page.endsWith('README.md'))
const within_ms = 30_000
let installation: Installation
beforeAll(async () => {
  installation = await startInstallation()
}, 300_000)
afterAll(() => installation[Symbol.asyncDispose]())

test.each(pages.map((page) => [basename(page, '.md'), page] as const))(
  'incident %s: in each state every command prints what the page says',
  { timeout: 300_000 },
  async (name, page) => {
    const tenant = await installation.createTenant()
    // A verification counts, so only pages that name one get one.
    const isNamed = readFileSync(page, 'utf8').includes('$VERIFICATION')
    const VERIFICATION = isNamed ? (await create(installation, tenant)).id : undefined
    const environment = { ...installation.environment, ...tenant, VERIFICATION }
    await using states = openStates(installation, tenant)
    await using shells = openShells({ cwd: installation.folder, environment })
    const commands = readCommands(page)
    const entered: string[] = []
    for (const documented of commands) {
      const state = documented.command.attributes['state']
      if (state !== undefined) {
        await states[name]?.[state]?.()
        entered.push(state)
      }
      expect(await runUntilPrinted(shells, documented)).toBe(true)
    }

    expect(commands.length).toBeGreaterThan(2)
    expect(entered).toEqual(Object.keys(states[name] ?? {}))
  },
)

/** Runs a command until it prints what its page says: an operator, too, asks again while the service recovers. */
async function runUntilPrinted(shells: Shells, { command, output }: DocumentedCommand): Promise<boolean> {
  const deadline = performance.now() + within_ms
  for (;;) {
    const printed = await shells.run({ ...command, text: `(\n${command.text}) || true\n` })
    if (matchesOutput(printed.output, output)) return true
    if (performance.now() > deadline)
      throw new Error(`${command.document}:${command.line} printed\n${printed.output}\ninstead of\n${output}`)
    await sleep(500)
  }
}
