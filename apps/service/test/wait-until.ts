import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the condition holds. Throws if it does not in time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { within_ms = 20_000, every_ms = 20 } = {},
): Promise<void> {
  const end = performance.now() + within_ms
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`the condition did not hold within ${within_ms} ms: ${condition.toString()}`)
    await sleep(every_ms)
  }
}
