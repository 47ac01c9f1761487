const maxIntervals = 5

/** The values of an axis from 0 to the first step that is not below `max`, in at most five steps, each a round number. */
export function countTicks(max: number): number[] {
  const least = Math.max(max, 1) / maxIntervals
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= least) ?? least
  // Nobody creates half a verification.
  return listTicks(Math.ceil(step), max)
}

const [minute, hour] = [60, 3600]
const timeSteps = [1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute]

/** The same for seconds. The steps are round in the unit in which `unitOf` shows them. */
export function timeTicks(max: number): number[] {
  const least = Math.max(max, 1) / maxIntervals
  return listTicks(timeSteps.find((each) => each >= least) ?? Math.ceil(least / hour) * hour, max)
}

/** The unit of an axis of times: that of its step. */
export function unitOf(ticks: readonly number[]): { name: 's' | 'min' | 'h'; seconds: number } {
  const step = ticks[1] ?? 1
  if (step % hour === 0) return { name: 'h', seconds: hour }
  return step % minute === 0 ? { name: 'min', seconds: minute } : { name: 's', seconds: 1 }
}

function listTicks(step: number, max: number): number[] {
  return Array.from({ length: Math.max(1, Math.ceil(max / step)) + 1 }, (_, index) => index * step)
}
