/** The first query fetches one day, because the newest nearly always fills a page; later queries fetch this many. */
const maxDaysAtOnce = 31

export type ReadDays = (page: { last_day: string | null; max_days: number }) => Promise<string[]>

/** Yields the days that `read` finds, newest first, and queries further days only when the caller needs them. */
export async function* walkDays(read: ReadDays, newest: string | null): AsyncGenerator<string, void> {
  let last_day = newest
  for (let max_days = 1; ; max_days = maxDaysAtOnce) {
    const days = await read({ last_day, max_days })
    yield* days
    const oldest = days.at(-1)
    if (oldest === undefined || days.length < max_days) return
    last_day = dayBefore(oldest)
  }
}

function dayBefore(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() - 1)
  return date.toISOString().slice(0, 10)
}
