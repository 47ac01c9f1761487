import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { AppliedConfig, type ConfigChange } from '@vidimus/contract'
import { callService, findService, serviceOptions } from './call-service.ts'
import { CommandError, command, printMessage } from './command.ts'
import { readFileOption } from './options.ts'

export const configExportCommand = command({
  options: {
    file: { type: 'string', description: 'where to write it (default: standard output)' },
    ...serviceOptions,
  },
  async run({ values }) {
    const { body } = await callConfig(values, {})
    const text = `${JSON.stringify(body, null, 2)}\n`
    if (values.file === undefined) process.stdout.write(text)
    else writeConfig(values.file, text)
  },
})

export const configApplyCommand = command({
  options: {
    file: { type: 'string', required: true, description: 'the configuration, as JSON' },
    prune: { type: 'boolean', description: 'delete what its parts do not name' },
    'dry-run': {
      type: 'boolean',
      description: 'only print the differences. Exit status 0, or 3 if there are any',
    },
    yes: {
      type: 'boolean',
      description: 'apply without asking. Without it and without a terminal nothing changes',
    },
    ...serviceOptions,
  },
  async run({ values }) {
    const config = readConfigFile(values.file)
    const prune = values.prune ? '&prune=true' : ''
    const send = { method: 'PUT', config }
    const planned = await callConfig(values, { ...send, query: `?dry_run=true${prune}` })
    const plan = AppliedConfig.parse(planned.body)
    printPlan(plan)
    if (plan.changes.length === 0) return 0
    if (values['dry-run']) return 3
    if (!values.yes && !(await confirm(plan.changes.length))) {
      printMessage('Nothing was changed.')
      return 1
    }
    // What was shown is what is applied.
    const applied = await callConfig(values, { ...send, query: `?${prune.slice(1)}`, if_match: planned.etag })
    return printOutcome(AppliedConfig.parse(applied.body))
  },
})

function writeConfig(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch {
    // A folder, a missing folder, or not writable.
    throw new CommandError(`Can't write ${file}.`)
  }
}

function readConfigFile(file: string): unknown {
  try {
    return JSON.parse(readFileOption(file))
  } catch (error) {
    if (error instanceof CommandError) throw error
    throw new CommandError(`${file} is not valid JSON.`)
  }
}

const signs = { create: '+', change: '~', delete: '-' }

function printPlan({ changes, unchanged, kept }: AppliedConfig): void {
  const lines = changes.flatMap((change) => [
    `${signs[change.action]} ${change.resource}`,
    ...describeMembers(change).map((line) => `    ${line}`),
  ])
  const counts = `${changes.length} to change, ${unchanged} unchanged, ${kept} not named and kept.`
  process.stdout.write([...lines, counts].map((line) => `${escapeControls(line)}\n`).join(''))
}

const maxValue_characters = 100

/** The members of a changed entry that differ. */
function describeMembers({ action, before, after }: ConfigChange): string[] {
  if (action !== 'change') return []
  const [from, to] = [toMembers(before), toMembers(after)]
  return [...new Set([...from.keys(), ...to.keys()])]
    .map((name) => ({ name, from: from.get(name), to: to.get(name) }))
    .filter((member) => member.from !== member.to)
    .map((member) => `${member.name}: ${shorten(member.from)} → ${shorten(member.to)}`)
}

function toMembers(value: unknown): Map<string, string> {
  const members = typeof value === 'object' && value !== null ? Object.entries(value) : [['value', value]]
  return new Map(members.map(([name, member]) => [String(name), JSON.stringify(member)]))
}

function shorten(text = 'absent'): string {
  return text.length > maxValue_characters ? `${text.slice(0, maxValue_characters)}…` : text
}

/** Names are texts of the merchant and must not control the terminal. */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, ' ')
}

async function confirm(count: number): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(?:es)?$/i.test((await terminal.question(`Apply ${count} changes? [y/N] `)).trim())
  } finally {
    terminal.close()
  }
}

function printOutcome({ applied, changes, secrets, failure }: AppliedConfig): number {
  for (const { resource, secret } of secrets)
    process.stdout.write(escapeControls(`The secret of the ${resource}, shown only once: ${secret}`) + '\n')
  if (applied) printMessage(`Applied ${changes.length} changes.`)
  if (failure === undefined) return 0
  const done = changes.filter((each) => each.applied).length
  printMessage(
    `Applied ${done} of ${changes.length} changes, then ${failure.resource} failed: ${failure.message} Apply again to complete it.`,
  )
  return 1
}

type ConfigCall = { method?: string; query?: string; config?: unknown; if_match?: string }

async function callConfig(
  given: { key: string | undefined; url: string | undefined },
  { method = 'GET', query = '', config, if_match }: ConfigCall,
): Promise<{ body: unknown; etag: string }> {
  const response = await callService(findService(given), `/v1/config${query}`, {
    method,
    json: config,
    ...(if_match !== undefined && { headers: { 'if-match': if_match } }),
  })
  return { body: await response.json(), etag: response.headers.get('etag') ?? '' }
}
