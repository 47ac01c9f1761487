/** How often and for how long an event is attempted, from the delays between the attempts. */
export function retryText(backoff_seconds: readonly number[]): string {
  if (backoff_seconds.length === 0) return 'Each event is attempted once.'
  const total = backoff_seconds.reduce((sum, delay) => sum + delay, 0)
  return `Each event is attempted up to ${backoff_seconds.length + 1} times over about ${durationText(total)}.`
}

function durationText(seconds: number): string {
  const [size, unit] = seconds < 120 ? [1, 'second'] : seconds < 7200 ? [60, 'minute'] : [3600, 'hour']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
