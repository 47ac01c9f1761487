import type { Context } from '../../engine/context.ts'
import {
  acceptLaterGenerations,
  raiseGeneration,
  readUsableDevicePage,
  type UsableDeviceRow,
} from '../lookup-store.ts'

const pageSize = 1000

export type RestoredGenerations = { raised: number; accepting_later: number }

/**
 * After a restore, tills hold refresh tokens of later generations than the database knows. `generationOf` says what is known of a
 * device: its generation is raised to that, so that used tokens are used ones again. Refreshes of which nothing is known are
 * why each device may then present a genuine token of a later generation once.
 */
export async function restoreGenerations(
  { db }: Pick<Context, 'db'>,
  generationOf: (device_id: string) => number | undefined,
): Promise<RestoredGenerations> {
  let after: UsableDeviceRow | undefined
  let raised = 0
  for (;;) {
    const page = await readUsableDevicePage(db, { after, limit: pageSize })
    for (const device of page) {
      const generation = generationOf(device.id)
      if (generation !== undefined && (await raiseGeneration(db, { ...device, generation }))) raised += 1
    }
    after = page.at(-1)
    if (after === undefined || page.length < pageSize) break
  }
  return { raised, accepting_later: await acceptLaterGenerations(db) }
}
