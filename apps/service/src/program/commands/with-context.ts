import { readConfig } from '../../engine/config/config.ts'
import { openContext, type Context, type OpenContext } from '../../context.ts'
import { MasterKeyError } from '../../engine/keyring/master-key.ts'
import { RestorePendingError } from '../../engine/ledger/errors.ts'
import { Refusal } from '../../engine/basics/refusal.ts'
import { CommandError } from './command.ts'

/**
 * Opens a context for a command and closes it afterwards. A refusal becomes a `CommandError`. Commands that repair or inspect a
 * database that lost entries of the erasure ledger open it unchecked.
 */
export async function withContext<Result>(
  use: (ctx: Context) => Promise<Result>,
  database: OpenContext['database'] = 'checked',
): Promise<Result> {
  const { config, secrets } = readConfig()
  await using ctx = await openContext({
    database,
    config: { ...config, RATE_LIMITS: 'off' },
    secrets: { ...secrets, REDIS_URL: undefined },
  })
  try {
    return await use(ctx)
  } catch (error) {
    // Operators get the reason.
    if (error instanceof MasterKeyError || error instanceof RestorePendingError) throw error
    if (error instanceof Refusal) throw new CommandError(error.message)
    throw error
  }
}
