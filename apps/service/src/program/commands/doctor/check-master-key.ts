import type { Database } from '../../../engine/db/index.ts'
import { type MasterKey, MasterKeyError, inspectKeyring } from '../../../engine/keyring/index.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

const check = 'master key'

/** Whether the ring opens, and whether the key that shall wrap it can: while it is being changed, these are two. */
export async function checkMasterKey(db: Database, masterKeys: readonly MasterKey[]): Promise<DoctorFinding> {
  const [current] = masterKeys
  const inspection = await inspectKeyring(db, masterKeys)
  if (inspection.state === 'closed')
    return wrong(
      check,
      inspection.reason,
      'Use the master key that the database was set up with, from its file or its token. While changing it, set the old one as MASTER_KEY_PREVIOUS or MASTER_KEY_PREVIOUS_URI.',
    )
  const problem = await findProblem(current)
  if (problem !== undefined)
    return wrong(check, problem, 'Correct the setting or the token before you run `vidimus keyring rewrap`.')
  if (inspection.state === 'empty') return ok(check, 'will wrap the key ring, which the first start creates')
  const previous = [...inspection.by].find((setting) => setting !== current?.setting)
  return previous === undefined
    ? ok(check, 'opens the key ring')
    : warning(
        check,
        `${previous} still wraps the key ring, not ${current?.setting}.`,
        'Run `vidimus keyring rewrap` once every process has both.',
      )
}

async function findProblem(current: MasterKey | undefined): Promise<string | undefined> {
  try {
    await current?.check()
    return undefined
  } catch (error) {
    if (error instanceof MasterKeyError) return `${error.explain()}.`
    throw error
  }
}
