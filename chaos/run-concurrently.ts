/** Runs a function `count` times, at most `concurrency` of them at once, and returns the results in order of completion. */
export async function runConcurrently<Result>(
  count: number,
  concurrency: number,
  runOnce: (round: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let started = 0
  await Promise.all(
    Array.from({ length: Math.min(concurrency, count) }, async () => {
      while (started < count) {
        const round = started
        started += 1
        results.push(await runOnce(round))
      }
    }),
  )
  return results
}
