import { enableCompileCache } from 'node:module'
import { ConfigError, givenVariables } from './config.ts'
import { CommandError, UsageError, printMessage, type Command } from './commands/command.ts'
import { explainUnreachable } from './platform/db/failures.ts'
import { NewerSchemaError, PendingMigrationsError } from './platform/db/schema/migrate.ts'
import { TransactionPoolingError } from './platform/db/connection/require-sessions.ts'

/** The commands, each loaded only when it runs, so that `vidimus help` is fast. */
const commands: Record<string, () => Promise<Command>> = {
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  serve: async () => (await import('./commands/run/serve.ts')).serveCommand,
  work: async () => (await import('./commands/run/work.ts')).workCommand,
  dev: async () => (await import('./commands/dev/dev.ts')).devCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  canary: async () => (await import('./commands/canary/canary.ts')).canaryCommand,
  listen: async () => (await import('./commands/listen.ts')).listenCommand,
  'tenant create': async () => (await import('./commands/tenant.ts')).tenantCreateCommand,
  'tenant list': async () => (await import('./commands/tenant.ts')).tenantListCommand,
  'tenant set': async () => (await import('./commands/tenant-set.ts')).tenantSetCommand,
  'tenant quota': async () => (await import('./commands/tenant.ts')).tenantQuotaCommand,
  'secret rotate': async () => (await import('./commands/secret.ts')).secretRotateCommand,
  'keyring rotate': async () => (await import('./commands/keyring.ts')).keyringRotateCommand,
  'template put': async () => (await import('./commands/template.ts')).templatePutCommand,
  'template list': async () => (await import('./commands/template.ts')).templateListCommand,
  'key create': async () => (await import('./commands/key.ts')).keyCreateCommand,
  'key list': async () => (await import('./commands/key.ts')).keyListCommand,
  'key revoke': async () => (await import('./commands/key.ts')).keyRevokeCommand,
  'member invite': async () => (await import('./commands/member.ts')).memberInviteCommand,
  'trust add': async () => (await import('./commands/trust.ts')).trustAddCommand,
  'trust list': async () => (await import('./commands/trust.ts')).trustListCommand,
  'trust lists': async () => (await import('./commands/trust.ts')).trustListsCommand,
  'trust refresh': async () => (await import('./commands/trust.ts')).trustRefreshCommand,
  'trust remove': async () => (await import('./commands/trust.ts')).trustRemoveCommand,
  'wallet respond': async () => (await import('./commands/wallet.ts')).walletRespondCommand,
  'wallet personas': async () => (await import('./commands/wallet.ts')).walletPersonasCommand,
  'wallet faults': async () => (await import('./commands/wallet.ts')).walletFaultsCommand,
  'audit verify': async () => (await import('./commands/audit/audit.ts')).auditVerifyCommand,
  'audit export': async () => (await import('./commands/audit/audit.ts')).auditExportCommand,
  'audit check': async () => (await import('./commands/audit/check.ts')).auditCheckCommand,
  'audit prove': async () => (await import('./commands/audit/audit.ts')).auditProveCommand,
  'audit public-key': async () => (await import('./commands/audit/audit.ts')).auditPublicKeyCommand,
}

/** Errors that are not bugs: reported in one line, without a stack trace. */
const expectedErrors = [
  ConfigError,
  NewerSchemaError,
  PendingMigrationsError,
  TransactionPoolingError,
  CommandError,
]

// Types are stripped once per machine instead of once per process, which halves the start-up time.
enableCompileCache()
process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const name = commandName(args)
  if (name === undefined)
    return args[0] === 'help' || args.length === 0 ? help(args.slice(1)) : reportUnknownCommand(args)
  try {
    const command = await commands[name]?.()
    return (await command?.run(args.slice(name.split(' ').length))) ?? 1
  } catch (error) {
    return reportError(name, error)
  }
}

/** A command has two words where the first is a noun (`tenant create`), and one otherwise. */
function commandName(args: string[]): string | undefined {
  return [args.slice(0, 2).join(' '), args[0] ?? ''].find((name) => Object.hasOwn(commands, name))
}

async function help(words: string[]): Promise<number> {
  const name = commandName(words)
  if (name !== undefined) {
    process.stdout.write(`${(await commands[name]?.())?.usage(name)}\n`)
    return 0
  }
  if (words.length > 0) return reportUnknownCommand(words)
  const names = Object.keys(commands)
  const width = Math.max(...names.map((each) => each.length))
  process.stdout.write('vidimus <command> [options]\n\n')
  for (const each of names) {
    process.stdout.write(`  ${each.padEnd(width)}  ${(await commands[each]?.())?.summary}\n`)
  }
  process.stdout.write('\nRun `vidimus help <command>` for its options.\n')
  return 0
}

function reportUnknownCommand(words: string[]): number {
  printMessage(`Unknown command: ${words.join(' ')}. Run \`vidimus help\` for a list.`)
  return 2
}

function reportError(name: string, error: unknown): number {
  if (error instanceof UsageError) {
    printMessage(`${error.message}. See \`vidimus help ${name}\`.`)
    return 2
  }
  if (expectedErrors.some((kind) => error instanceof kind)) {
    printMessage((error as Error).message) // each of these classes extends Error
    return 1
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  printMessage(explainUnreachable(error, givenVariables()['DATABASE_URL']) ?? stack)
  return 1
}
