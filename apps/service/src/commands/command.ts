import { parseArgs } from 'node:util'

type Option = { type: 'string' | 'boolean'; required?: true; means: string }
type Options = Record<string, Option>
type OptionValue<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { required: true }
    ? string
    : string | undefined
type OptionValues<O extends Options> = { [Name in keyof O]: OptionValue<O[Name]> }

type CommandDefinition<O extends Options> = {
  /** One line for `vidimus help`. */
  summary: string
  /** What stands after the name, in order: `['WALLET_URI']`. */
  positionals?: readonly string[]
  options: O
  /** Returns the exit status when it is not 0. */
  run: (given: { values: OptionValues<O>; positionals: string[] }) => Promise<number | void>
}

/** One sub-command of the program. */
export type Command = {
  summary: string
  usage: (name: string) => string
  run: (args: string[]) => Promise<number>
}

/** The command was called wrongly: exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command was right and could not be done: exit status 1, without a stack. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export function command<const O extends Options>({
  summary,
  positionals = [],
  options,
  run,
}: CommandDefinition<O>): Command {
  return {
    summary,
    usage: (name) => usageText(name, { summary, positionals, options }),
    run: async (args) => (await run(readArguments(args, { positionals, options }))) ?? 0,
  }
}

/** Prints what a command made: one JSON object with `--json`, else the lines for a person. */
export function printResult({ json }: { json: boolean }, result: object, lines: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Messages go to standard error: standard output is for what was asked. */
export function printMessage(message: string): void {
  process.stderr.write(`${message}\n`)
}

type ArgumentShape<O extends Options> = { positionals: readonly string[]; options: O }

function readArguments<O extends Options>(
  args: string[],
  { positionals: expected, options }: ArgumentShape<O>,
) {
  const { values, positionals } = parseArguments(args, options)
  for (const [name, { required }] of Object.entries(options)) {
    if (required === true && values[name] === undefined) throw new UsageError(`--${name} is missing`)
  }
  const missing = expected[positionals.length]
  if (missing !== undefined) throw new UsageError(`${missing} is missing`)
  if (positionals.length > expected.length)
    throw new UsageError(`${positionals[expected.length]} is not expected here`)
  const flags = Object.entries(options).map(([name, { type }]) => [
    name,
    values[name] ?? (type === 'boolean' ? false : undefined),
  ])
  // Every option is there with the type that its definition gives: parseArgs and the loop above have seen to it.
  return { values: Object.fromEntries(flags) as OptionValues<O>, positionals }
}

function parseArguments(args: string[], options: Options) {
  try {
    return parseArgs({
      args,
      options: Object.fromEntries(Object.entries(options).map(([name, { type }]) => [name, { type }])),
      allowPositionals: true,
    })
  } catch (error) {
    // parseArgs throws for unknown options and missing values, with words fit for the caller.
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function usageText<O extends Options>(
  name: string,
  { summary, positionals, options }: ArgumentShape<O> & { summary: string },
): string {
  const rows = Object.entries(options).map(([option, { type, required, means }]) => ({
    left: `--${option}${type === 'string' ? ' …' : ''}`,
    right: required === true ? `${means} (required)` : means,
  }))
  const width = Math.max(...rows.map(({ left }) => left.length), 0)
  return [
    `vidimus ${[name, ...positionals].join(' ')}${rows.length > 0 ? ' [options]' : ''}`,
    '',
    summary,
    ...(rows.length > 0 ? [''] : []),
    ...rows.map(({ left, right }) => `  ${left.padEnd(width)}  ${right}`),
  ].join('\n')
}
