import { readConfig } from '../config.ts'
import { openContext, type Context } from '../context.ts'
import { Refusal } from '../platform/refusal.ts'
import { CommandError } from './command.ts'

/** Opens a context for a command and closes it afterwards. A refusal becomes a `CommandError`. */
export async function withContext<Result>(use: (ctx: Context) => Promise<Result>): Promise<Result> {
  const { config, secrets } = readConfig()
  await using ctx = await openContext({
    config: { ...config, RATE_LIMITS: 'off' },
    secrets: { ...secrets, REDIS_URL: undefined },
  })
  try {
    return await use(ctx)
  } catch (error) {
    if (error instanceof Refusal) throw new CommandError(error.message)
    throw error
  }
}
