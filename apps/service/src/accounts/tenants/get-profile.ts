import type { Context } from '../../engine/context.ts'
import { type Database, coalescePerTarget } from '../../engine/db/index.ts'
import { readProfiles, type ProfileRow } from './store.ts'

export type Profile = Omit<ProfileRow, 'id'>

/** The tenant as holders see it: its name, its brand, how long it keeps results, and which ways it offers. */
export async function getProfile({ db }: Pick<Context, 'db'>, tenantId: string): Promise<Profile> {
  const profile = await findProfile(db, tenantId)
  if (profile === undefined) throw new Error('the session has no tenant')
  return profile
}

const findProfile = coalescePerTarget<Database, string, ProfileRow | undefined>({
  maxBatch: 64,
  maxWaiting: 2000,
  async run(db, ids) {
    const found = new Map((await readProfiles(db, ids)).map((row) => [row.id, row]))
    return ids.map((id) => found.get(id))
  },
})
