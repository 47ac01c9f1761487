import { readConfig } from '../config.ts'
import { requireMigrated } from '../platform/db/schema/migrate.ts'
import { openDatabase } from '../platform/db/open.ts'
import { rotateKeyring } from '../platform/keyring/open.ts'
import { UnsealError } from '../platform/keyring/seal.ts'
import { listKeys, retireKey } from '../platform/keyring/retire.ts'
import { command, CommandError, printResult, UsageError } from './command.ts'
import { jsonOption } from './options.ts'
import { withContext } from './with-context.ts'

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

export const keyringListCommand = command({
  summary: 'Lists the keys of the ring and how many values each of them seals.',
  options: { json: jsonOption },
  async run({ values }) {
    const keys = await withContext(({ db }) => listKeys(db))
    printResult(
      values,
      { keys },
      keys.map(
        ({ id, purpose, state, sealed_values, created_at }) =>
          `${id}  ${purpose}  ${state}${purpose === 'sealing' ? `  ${sealed_values} values` : ''}  since ${created_at}`,
      ),
    )
  },
})

export const keyringRetireCommand = command({
  summary: 'Deletes a sealing key under which nothing is sealed any more. Refuses as long as anything is.',
  options: {
    key: { type: 'string', required: true, description: 'the number of the key, from keyring list' },
    json: jsonOption,
  },
  async run({ values }) {
    if (!/^\d{1,9}$/.test(values.key)) throw new UsageError('--key must be the number of a key')
    const key = Number(values.key)
    await withContext(({ db }) => retireKey(db, key))
    printResult(values, { retired: key }, [`Key ${key} is deleted.`])
  },
})
