import type { Placed } from './store.ts'

/**
 * Reads many sessions with one statement for each day among them, nearly always one, and gives every caller its own row,
 * or undefined.
 */
export async function readByDay<Asked extends { day: string }, Row>(
  asked: Asked[],
  read: (day: string, asked: Asked[]) => Promise<Placed<Row>[]>,
): Promise<(Row | undefined)[]> {
  const answers = new Map<Asked, Row>()
  const days = Map.groupBy(asked, ({ day }) => day)
  await Promise.all(
    Array.from(days, async ([day, ofDay]) => {
      for (const row of await read(day, ofDay)) {
        const caller = ofDay[row.place - 1]
        if (caller !== undefined) answers.set(caller, row)
      }
    }),
  )
  return asked.map((caller) => answers.get(caller))
}
