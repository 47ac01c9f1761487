import { UsageError, printMessage, type Command } from './commands/command.ts'
import {
  adminSummaries,
  merchantGroups,
  merchantSummaries,
  operatorSummaries,
  summaries,
  type CommandName,
} from './commands/summaries.ts'
import { programVersion, suggest } from '../engine/basics/index.ts'

/** The commands. Each is loaded only to run it or to explain its options, because most load the database and half of the service. */
const commands: Record<CommandName, () => Promise<Command>> = {
  dev: async () => (await import('./commands/dev/dev.ts')).devCommand,
  login: async () => (await import('./commands/login.ts')).loginCommand,
  trigger: async () => (await import('./commands/trigger.ts')).triggerCommand,
  listen: async () => (await import('./commands/listen.ts')).listenCommand,
  'logs tail': async () => (await import('./commands/logs.ts')).logsTailCommand,
  mcp: async () => (await import('./commands/mcp/mcp.ts')).mcpCommand,
  'config export': async () => (await import('./commands/config.ts')).configExportCommand,
  'config apply': async () => (await import('./commands/config.ts')).configApplyCommand,
  'wallet respond': async () => (await import('./commands/wallet.ts')).walletRespondCommand,
  'wallet personas': async () => (await import('./commands/wallet.ts')).walletPersonasCommand,
  'wallet faults': async () => (await import('./commands/wallet.ts')).walletFaultsCommand,
  'sealing-key create': async () => (await import('./commands/sealing.ts')).sealingKeyCreateCommand,
  'sealing-key register': async () => (await import('./commands/sealing.ts')).sealingKeyRegisterCommand,
  'sealing-key list': async () => (await import('./commands/sealing.ts')).sealingKeyListCommand,
  'result open': async () => (await import('./commands/sealing.ts')).resultOpenCommand,
  'receipt check': async () => (await import('./commands/audit/receipt.ts')).receiptCheckCommand,
  'audit check': async () => (await import('./commands/audit/check.ts')).auditCheckCommand,
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand,
  serve: async () => (await import('./commands/run/serve.ts')).serveCommand,
  work: async () => (await import('./commands/run/work.ts')).workCommand,
  health: async () => (await import('./commands/health.ts')).healthCommand,
  doctor: async () => (await import('./commands/doctor/doctor.ts')).doctorCommand,
  'admin canary': async () => (await import('./commands/canary/canary.ts')).canaryCommand,
  'admin tenant create': async () => (await import('./commands/tenant.ts')).tenantCreateCommand,
  'admin tenant list': async () => (await import('./commands/tenant.ts')).tenantListCommand,
  'admin tenant show': async () => (await import('./commands/tenant.ts')).tenantShowCommand,
  'admin tenant quota': async () => (await import('./commands/tenant.ts')).tenantQuotaCommand,
  'admin tenant plan': async () => (await import('./commands/tenant.ts')).tenantPlanCommand,
  'admin tenant suspend': async () => (await import('./commands/tenant-state.ts')).tenantSuspendCommand,
  'admin tenant resume': async () => (await import('./commands/tenant-state.ts')).tenantResumeCommand,
  'admin tenant approve': async () => (await import('./commands/tenant-state.ts')).tenantApproveCommand,
  'admin tenant refuse': async () => (await import('./commands/tenant-state.ts')).tenantRefuseCommand,
  'admin tenant close': async () => (await import('./commands/tenant-state.ts')).tenantCloseCommand,
  'admin tenant delete': async () => (await import('./commands/tenant.ts')).tenantDeleteCommand,
  'admin tenant move': async () => (await import('./commands/tenant-move.ts')).tenantMoveCommand,
  'admin tenant routes': async () => (await import('./commands/tenant-move.ts')).tenantRoutesCommand,
  'admin operator add': async () => (await import('./commands/operator.ts')).operatorAddCommand,
  'admin operator invite': async () => (await import('./commands/operator.ts')).operatorInviteCommand,
  'admin operator list': async () => (await import('./commands/operator.ts')).operatorListCommand,
  'admin operator role': async () => (await import('./commands/operator.ts')).operatorRoleCommand,
  'admin operator remove': async () => (await import('./commands/operator.ts')).operatorRemoveCommand,
  'admin usage': async () => (await import('./commands/usage.ts')).usageCommand,
  'admin plan list': async () => (await import('./commands/plan.ts')).planListCommand,
  'admin plan set': async () => (await import('./commands/plan.ts')).planSetCommand,
  'admin plan remove': async () => (await import('./commands/plan.ts')).planRemoveCommand,
  'admin restore apply': async () => (await import('./commands/restore.ts')).restoreApplyCommand,
  'admin restore status': async () => (await import('./commands/restore.ts')).restoreStatusCommand,
  'admin secret rotate': async () => (await import('./commands/secret.ts')).secretRotateCommand,
  'admin keyring list': async () => (await import('./commands/keyring.ts')).keyringListCommand,
  'admin keyring retire': async () => (await import('./commands/keyring.ts')).keyringRetireCommand,
  'admin keyring rewrap': async () => (await import('./commands/keyring.ts')).keyringRewrapCommand,
  'admin keyring rotate': async () => (await import('./commands/keyring.ts')).keyringRotateCommand,
  'admin key create': async () => (await import('./commands/key.ts')).keyCreateCommand,
  'admin key list': async () => (await import('./commands/key.ts')).keyListCommand,
  'admin key revoke': async () => (await import('./commands/key.ts')).keyRevokeCommand,
  'admin openid rotate-keys': async () => (await import('./commands/openid.ts')).openidRotateKeysCommand,
  'admin member invite': async () => (await import('./commands/member.ts')).memberInviteCommand,
  'admin member list': async () => (await import('./commands/member.ts')).memberListCommand,
  'admin member remove': async () => (await import('./commands/member.ts')).memberRemoveCommand,
  'admin sandbox rotate': async () => (await import('./commands/sandbox.ts')).sandboxRotateCommand,
  'admin trust add': async () => (await import('./commands/trust.ts')).trustAddCommand,
  'admin trust list': async () => (await import('./commands/trust.ts')).trustListCommand,
  'admin trust lists': async () => (await import('./commands/trust.ts')).trustListsCommand,
  'admin trust refresh': async () => (await import('./commands/trust.ts')).trustRefreshCommand,
  'admin trust remove': async () => (await import('./commands/trust.ts')).trustRemoveCommand,
  'admin identity set': async () => (await import('./commands/identity.ts')).identitySetCommand,
  'admin identity issue': async () => (await import('./commands/identity.ts')).identityIssueCommand,
  'admin identity remove': async () => (await import('./commands/identity.ts')).identityRemoveCommand,
  'admin identity check': async () => (await import('./commands/identity.ts')).identityCheckCommand,
  'admin logs slow': async () => (await import('./commands/service-logs/logs.ts')).logsSlowCommand,
  'admin logs verification': async () =>
    (await import('./commands/service-logs/logs.ts')).logsVerificationCommand,
  'admin audit verify': async () => (await import('./commands/audit/audit.ts')).auditVerifyCommand,
  'admin audit export': async () => (await import('./commands/audit/audit.ts')).auditExportCommand,
  'admin audit prove': async () => (await import('./commands/audit/audit.ts')).auditProveCommand,
  'admin audit public-key': async () => (await import('./commands/audit/audit.ts')).auditPublicKeyCommand,
  'admin audit rotate-key': async () => (await import('./commands/audit/audit.ts')).auditRotateKeyCommand,
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
  process.stdout.write(`vidimus ${programVersion()}\n`)
  return 0
}

/** The longest name that the arguments begin with: `admin tenant create`, `config apply`, `serve`. */
function commandName(args: readonly string[]): CommandName | undefined {
  return [3, 2, 1].map((count) => args.slice(0, count).join(' ')).find((name) => isCommandName(name))
}

function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(summaries, name)
}

/** The usage of a command, the list for `vidimus help`, or the commands that begin with a noun (`vidimus admin tenant --help`). */
async function help(words: readonly string[]): Promise<number> {
  const names = words.filter((word) => !isHelpOption(word)).flatMap((word) => word.split(' '))
  const name = commandName(names)
  if (name !== undefined) {
    const { usage } = await commands[name]()
    process.stdout.write(`${usage(name, summaries[name])}\n`)
    return 0
  }
  const prefix = names.map((word) => `${word} `).join('')
  const listed = Object.entries(summaries).filter(([each]) => prefix !== '' && each.startsWith(prefix))
  if (prefix !== '' && listed.length === 0) return reportUnknownCommand(names)
  // Written at once, so that a reader such as `head` causes no EPIPE.
  process.stdout.write(
    [
      `vidimus ${prefix}<command> [options]`,
      '',
      ...(prefix === '' ? overview() : alignSummaries(listed)),
      '',
      'Run `vidimus help <command>` or `vidimus <command> --help` for its options.\n',
    ].join('\n'),
  )
  return 0
}

/** What developers of merchants use comes first. */
function overview(): string[] {
  const nouns = new Set(Object.keys(adminSummaries).map((name) => name.split(' ')[1]))
  const admin = `Manages the installation, with its database: ${[...nouns].join(', ')}.`
  return [
    ...alignSummaries(groupSummaries()),
    '',
    'Operate a service:',
    '',
    ...alignSummaries([...Object.entries(operatorSummaries), ['admin …', admin]]),
  ]
}

/** The commands of merchants, those about one thing on one line. */
function groupSummaries(): [name: string, summary: string][] {
  const lines = new Map<string, string>()
  for (const [name, summary] of Object.entries(merchantSummaries)) {
    const group = Object.entries(merchantGroups).find(([noun]) => name.startsWith(`${noun} `))
    lines.set(group === undefined ? name : `${group[0]} …`, group === undefined ? summary : group[1])
  }
  return [...lines]
}

const nameWidth = Math.max(...groupSummaries().map(([name]) => name.length))

function alignSummaries(listed: [name: string, summary: string][]): string[] {
  const width = Math.max(nameWidth, ...listed.map(([name]) => name.length))
  return listed.map(([name, summary]) => `  ${name.padEnd(width)}  ${summary}`)
}

function reportUnknownCommand(words: string[]): number {
  const hint = suggestCommand(words)
  printMessage(
    `Unknown command: ${words.join(' ')}.${hint === undefined ? '' : ` ${hint}`} Run \`vidimus help\` for a list.`,
  )
  return 2
}

/** What a tenant's own people configure, with a key or on the dashboard. */
const configured = ['template', 'client', 'registration', 'tenant set']

/** An operator's command is also found without its first word. */
function suggestCommand(words: string[]): string | undefined {
  const [given, names] = [words.join(' '), Object.keys(summaries)]
  if (configured.some((name) => `${given} `.startsWith(`${name} `)))
    return 'Use `vidimus config apply`, the API or the dashboard.'
  const operated = commandName(['admin', ...words]) ?? suggest(`admin ${words.slice(0, 2).join(' ')}`, names)
  const group = `admin ${words[0]}`
  const meant =
    operated ??
    [3, 2, 1]
      .map((count) => suggest(words.slice(0, count).join(' '), names))
      .find((name) => name !== undefined) ??
    (names.some((name) => name.startsWith(`${group} `)) ? group : undefined)
  return meant === undefined ? undefined : `Did you mean \`vidimus ${meant}\`?`
}

async function reportError(name: string, error: unknown): Promise<number> {
  if (error instanceof UsageError) {
    printMessage(`${error.message}. See \`vidimus help ${name}\`.`)
    return 2
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  // Only now, because it loads what knows the errors: the database, the keys, the ledger.
  const { explainError, exitStatus } = await import('./commands/explain-error.ts')
  printMessage(explainError(error) ?? stack)
  return exitStatus(error)
}
