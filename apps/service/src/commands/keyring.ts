import { readConfig } from '../config.ts'
import { requireMigrated } from '../platform/db/schema/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import { rotateKeyring } from '../platform/keyring/open.ts'
import { UnsealError } from '../platform/keyring/seal.ts'
import { command, CommandError, printResult } from './command.ts'
import { jsonOption } from './options.ts'

export const keyringRotateCommand = command({
  summary:
    'Wraps the key ring with MASTER_KEY and adds a sealing key. The previous master key is then no longer needed.',
  options: { json: jsonOption },
  async run({ values }) {
    const { secrets } = readConfig()
    const masterKeys = [secrets.MASTER_KEY, secrets.MASTER_KEY_PREVIOUS].filter((key) => key !== undefined)
    const db = openDatabase({ url: secrets.DATABASE_URL, poolSize: 2 })
    try {
      await requireMigrated(db)
      const sealing_key = await rotateKeyring({ db, master_keys: masterKeys })
      printResult(values, { sealing_key }, [
        `The key ring is wrapped with MASTER_KEY. Key ${sealing_key} seals from now on.`,
      ])
    } catch (error) {
      if (error instanceof UnsealError)
        throw new CommandError(
          'Neither MASTER_KEY nor MASTER_KEY_PREVIOUS opens the key ring of this database.',
        )
      throw error
    } finally {
      await db.close()
    }
  },
})
