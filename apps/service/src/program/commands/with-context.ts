import { readConfig } from '../../engine/config/index.ts'
import { openContext, type ServiceContext, type OpenContext } from '../context.ts'
import { MasterKeyError } from '../../engine/keyring/index.ts'
import { RestorePendingError } from '../../engine/ledger/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import { CommandError } from './command.ts'

/**
 * Opens a context for a command and closes it afterwards. A refusal becomes a `CommandError`. Commands that repair or inspect a
 * database that lost entries of the erasure ledger open it unchecked.
 */
export async function withContext<Result>(
  use: (ctx: ServiceContext) => Promise<Result>,
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
