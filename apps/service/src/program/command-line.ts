import { readFileSync } from 'node:fs'
import { UsageError, printMessage, type Command } from './commands/command.ts'
import { summaries, type CommandName } from './commands/summaries.ts'
import { suggest } from '../engine/basics/index.ts'

/** The commands. Each is loaded only to run it or to explain its options, because most load the database and half of the service. */
const commands: Record<CommandName, () => Promise<Command>> = {
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  serve: async () => (await import('./commands/run/serve.ts')).serveCommand,
  work: async () => (await import('./commands/run/work.ts')).workCommand,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  dev: async () => (await import('./commands/dev/dev.ts')).devCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  canary: async () => (await import('./commands/canary/canary.ts')).canaryCommand,
  listen: async () => (await import('./commands/listen.ts')).listenCommand,
  'config export': async () => (await import('./commands/config.ts')).configExportCommand,
  'config apply': async () => (await import('./commands/config.ts')).configApplyCommand,
  'tenant create': async () => (await import('./commands/tenant.ts')).tenantCreateCommand,
  'tenant list': async () => (await import('./commands/tenant.ts')).tenantListCommand,
  'tenant set': async () => (await import('./commands/tenant-set.ts')).tenantSetCommand,
  'tenant quota': async () => (await import('./commands/tenant.ts')).tenantQuotaCommand,
  'tenant delete': async () => (await import('./commands/tenant.ts')).tenantDeleteCommand,
  'restore apply': async () => (await import('./commands/restore.ts')).restoreApplyCommand,
  'restore status': async () => (await import('./commands/restore.ts')).restoreStatusCommand,
  'tenant move': async () => (await import('./commands/tenant-move.ts')).tenantMoveCommand,
  'tenant routes': async () => (await import('./commands/tenant-move.ts')).tenantRoutesCommand,
  'secret rotate': async () => (await import('./commands/secret.ts')).secretRotateCommand,
  'keyring list': async () => (await import('./commands/keyring.ts')).keyringListCommand,
  'keyring retire': async () => (await import('./commands/keyring.ts')).keyringRetireCommand,
  'keyring rewrap': async () => (await import('./commands/keyring.ts')).keyringRewrapCommand,
  'keyring rotate': async () => (await import('./commands/keyring.ts')).keyringRotateCommand,
  'template put': async () => (await import('./commands/template.ts')).templatePutCommand,
  'template list': async () => (await import('./commands/template.ts')).templateListCommand,
  'key create': async () => (await import('./commands/key.ts')).keyCreateCommand,
  'key list': async () => (await import('./commands/key.ts')).keyListCommand,
  'key revoke': async () => (await import('./commands/key.ts')).keyRevokeCommand,
  'client create': async () => (await import('./commands/client.ts')).clientCreateCommand,
  'client list': async () => (await import('./commands/client.ts')).clientListCommand,
  'client show': async () => (await import('./commands/client.ts')).clientShowCommand,
  'client set': async () => (await import('./commands/client.ts')).clientSetCommand,
  'client roll-secret': async () => (await import('./commands/client-secret.ts')).clientRollSecretCommand,
  'client delete': async () => (await import('./commands/client.ts')).clientDeleteCommand,
  'client rotate-keys': async () => (await import('./commands/client-secret.ts')).clientRotateKeysCommand,
  'member invite': async () => (await import('./commands/member.ts')).memberInviteCommand,
  'member list': async () => (await import('./commands/member.ts')).memberListCommand,
  'member remove': async () => (await import('./commands/member.ts')).memberRemoveCommand,
  'sandbox rotate': async () => (await import('./commands/sandbox.ts')).sandboxRotateCommand,
  'trust add': async () => (await import('./commands/trust.ts')).trustAddCommand,
  'trust list': async () => (await import('./commands/trust.ts')).trustListCommand,
  'trust lists': async () => (await import('./commands/trust.ts')).trustListsCommand,
  'trust refresh': async () => (await import('./commands/trust.ts')).trustRefreshCommand,
  'trust remove': async () => (await import('./commands/trust.ts')).trustRemoveCommand,
  'identity set': async () => (await import('./commands/identity.ts')).identitySetCommand,
  'identity issue': async () => (await import('./commands/identity.ts')).identityIssueCommand,
  'identity remove': async () => (await import('./commands/identity.ts')).identityRemoveCommand,
  'identity check': async () => (await import('./commands/identity.ts')).identityCheckCommand,
  'registration add': async () => (await import('./commands/registration.ts')).registrationAddCommand,
  'registration list': async () => (await import('./commands/registration.ts')).registrationListCommand,
  'registration show': async () => (await import('./commands/registration.ts')).registrationShowCommand,
  'registration default': async () => (await import('./commands/registration.ts')).registrationDefaultCommand,
  'registration assign': async () => (await import('./commands/registration.ts')).registrationAssignCommand,
  'registration check': async () => (await import('./commands/registration.ts')).registrationCheckCommand,
  'registration set': async () => (await import('./commands/registration.ts')).registrationSetCommand,
  'registration remove': async () => (await import('./commands/registration.ts')).registrationRemoveCommand,
  'wallet respond': async () => (await import('./commands/wallet.ts')).walletRespondCommand,
  'wallet personas': async () => (await import('./commands/wallet.ts')).walletPersonasCommand,
  'wallet faults': async () => (await import('./commands/wallet.ts')).walletFaultsCommand,
  'audit verify': async () => (await import('./commands/audit/audit.ts')).auditVerifyCommand,
  'audit export': async () => (await import('./commands/audit/audit.ts')).auditExportCommand,
  'audit check': async () => (await import('./commands/audit/check.ts')).auditCheckCommand,
  'audit prove': async () => (await import('./commands/audit/audit.ts')).auditProveCommand,
  'audit public-key': async () => (await import('./commands/audit/audit.ts')).auditPublicKeyCommand,
  'audit rotate-key': async () => (await import('./commands/audit/audit.ts')).auditRotateKeyCommand,
}

/** Runs the command that the arguments name and returns the exit status. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const [first = 'help'] = args
  if (first === 'help' || isHelpOption(first)) return help(args.slice(1))
  if (isVersionOption(first)) return printVersion()
  const name = commandName(args)
  if (name === undefined) return help(args)
  const rest = args.slice(name.split(' ').length)
  const options = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest
  if (options.some(isHelpOption)) return help([name])
  if (options.some(isVersionOption)) return printVersion()
  try {
    const command = await commands[name]()
    return await command.run(rest)
  } catch (error) {
    return reportError(name, error)
  }
}

function isHelpOption(word: string): boolean {
  return word === '--help' || word === '-h'
}

function isVersionOption(word: string): boolean {
  return word === '--version' || word === '-v'
}

function printVersion(): number {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`vidimus ${version}\n`)
  return 0
}

/** A command has two words where the first is a noun (`tenant create`), and one otherwise. */
function commandName(args: readonly string[]): CommandName | undefined {
  return [args.slice(0, 2).join(' '), args[0] ?? ''].find((name) => isCommandName(name))
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(summaries, name)
}

/** The usage of a command, or a list of all commands or of those that begin with a noun (`vidimus tenant --help`). */
async function help(words: readonly string[]): Promise<number> {
  const names = words.filter((word) => !isHelpOption(word))
  const [noun] = names
  const name = commandName(names) ?? commandName(noun?.split(' ') ?? [])
  if (name !== undefined) {
    const { usage } = await commands[name]()
    process.stdout.write(`${usage(name, summaries[name])}\n`)
    return 0
  }
  const listed = Object.entries(summaries).filter(
    ([each]) => noun === undefined || each.startsWith(`${noun} `),
  )
  if (listed.length === 0 || names.length > 1) return reportUnknownCommand(names)
  // Written at once, so that a reader such as `head` causes no EPIPE.
  process.stdout.write(
    [
      `vidimus ${noun === undefined ? '' : `${noun} `}<command> [options]`,
      '',
      ...alignSummaries(listed),
      '',
      'Run `vidimus help <command>` or `vidimus <command> --help` for its options.\n',
    ].join('\n'),
  )
  return 0
}

function alignSummaries(listed: [name: string, summary: string][]): string[] {
  const width = Math.max(...listed.map(([name]) => name.length))
  return listed.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
}

function reportUnknownCommand(words: string[]): number {
  const meant = suggest(words.slice(0, 2).join(' '), Object.keys(summaries))
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`
  printMessage(`Unknown command: ${words.join(' ')}.${hint} Run \`vidimus help\` for a list.`)
  return 2
}

async function reportError(name: string, error: unknown): Promise<number> {
  if (error instanceof UsageError) {
    printMessage(`${error.message}. See \`vidimus help ${name}\`.`)
    return 2
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // Only now, because it loads what knows the errors: the database, the keys, the ledger.
  const { explainError } = await import('./commands/explain-error.ts')
  printMessage(explainError(error) ?? stack)
  return 1
}
