const day_ms = 86_400_000

/** By this machine's clock, which decides only whether a plan is kept. */
export function isAboutNow(day: string): boolean {
  return Math.abs(Date.now() - Date.parse(day)) < 2 * day_ms
}
