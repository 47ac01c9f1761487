import { parseArgs } from 'node:util'

type Option = { type: 'string' | 'boolean'; required?: true; description: string }
type Options = Record<string, Option>
type OptionValue<O extends Option> = O['type'] extends 'boolean'
  ? boolean
  : O extends { required: true }
    ? string
    : string | undefined
type OptionValues<O extends Options> = { [Name in keyof O]: OptionValue<O[Name]> }

type CommandDefinition<O extends Options> = {
  /** The positional arguments, in order: `['WALLET_URI']`. */
  positionals?: readonly string[]
  options: O
  /** Returns the exit status if it is not 0. */
  run: (given: { values: OptionValues<O>; positionals: string[] }) => Promise<number | void>
}

/** A command of the program. */
export type Command = {
  usage: (name: string, summary: string) => string
  run: (args: string[]) => Promise<number>
}

/** Wrong arguments: exit status 2. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** The command failed for an expected reason: exit status 1, without a stack trace. */
export class CommandError extends Error {
  override name = 'CommandError'
}

export function command<const O extends Options>({
  positionals = [],
  options,
  run,
}: CommandDefinition<O>): Command {
  return {
    usage: (name, summary) => usageText(name, { summary, positionals, options }),
    run: async (args) => (await run(readArguments(args, { positionals, options }))) ?? 0,
  }
}

/** Prints a command's result to standard output: one JSON object with `--json`, otherwise the lines. */
export function printResult({ json }: { json: boolean }, result: object, lines: string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''))
}

/** Prints a message to standard error; standard output is for results. */
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
    throw new UsageError(`Unexpected argument ${positionals[expected.length]}`)
  const flags = Object.entries(options).map(([name, { type }]) => [
    name,
    values[name] ?? (type === 'boolean' ? false : undefined),
  ])
  // parseArgs and the loop above ensure that every option has the type of its definition.
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
    // parseArgs throws for unknown options and missing values, with a message for the user.
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function usageText<O extends Options>(
  name: string,
  { summary, positionals, options }: ArgumentShape<O> & { summary: string },
): string {
  const rows = Object.entries(options).map(([option, { type, required, description }]) => ({
    left: `--${option}${type === 'string' ? ' …' : ''}`,
    right: required === true ? `${description} (required)` : description,
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
