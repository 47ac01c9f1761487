import { readConfig } from '../../engine/config/index.ts'
import { openDatabase, requireMigrated, requireSessions } from '../../engine/db/index.ts'
import {
  type RingOptions,
  listKeys,
  openConfiguredHsms,
  openMasterKeys,
  retireKey,
  rewrapKeyring,
  rotateKeyring,
} from '../../engine/keyring/index.ts'
import { openLog } from '../../engine/observability/index.ts'
import { asOperator, operatorOptions } from './as-operator.ts'
import { command, printResult, UsageError } from './command.ts'
import { jsonOption } from './options.ts'
import { withContext } from './with-context.ts'

export const keyringRotateCommand = command({
  options: { ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const record = asOperator('installation.keyring_changed', values)
    const { result: sealing_key, setting } = await withRing((ring) => rotateKeyring(ring, record))
    printResult(values, { sealing_key }, [
      `The key ring is wrapped with ${setting}. Key ${sealing_key} seals from now on.`,
    ])
  },
})

export const keyringRewrapCommand = command({
  options: { ...operatorOptions, json: jsonOption },
  async run({ values }) {
    const record = asOperator('installation.keyring_changed', values)
    const { result: keys, setting } = await withRing((ring) => rewrapKeyring(ring, record))
    printResult(values, { keys, master_key: setting }, [
      `The ${keys} keys of the ring are wrapped with ${setting}.`,
    ])
  },
})

/** Opens only what the ring needs: a context would need a ring that opens already. */
async function withRing<Result>(
  work: (options: RingOptions) => Promise<Result>,
): Promise<{ result: Result; setting: string | undefined }> {
  const { config, secrets } = readConfig()
  const hsms = await openConfiguredHsms(config, openLog({ LOG_LEVEL: 'silent' }))
  const db = openDatabase({ url: secrets.DATABASE_URL, poolSize: 2 })
  try {
    await requireSessions(db)
    await requireMigrated(db)
    const master_keys = openMasterKeys({ config, secrets, hsms })
    return { result: await work({ db, master_keys }), setting: master_keys[0]?.setting }
  } finally {
    hsms?.close()
    await db.close()
  }
}

export const keyringListCommand = command({
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
  options: {
    key: { type: 'string', required: true, description: 'the number of the key, from keyring list' },
    ...operatorOptions,
    json: jsonOption,
  },
  async run({ values }) {
    if (!/^\d{1,9}$/.test(values.key)) throw new UsageError('--key must be the number of a key')
    const key = Number(values.key)
    const record = asOperator('installation.keyring_changed', values)
    await withContext(({ db }) => retireKey(db, key, record))
    printResult(values, { retired: key }, [`Key ${key} is deleted.`])
  },
})
