import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for something to become true, and fails when it does not in time. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  { within_ms = 20_000, every_ms = 20 } = {},
): Promise<void> {
  const end = performance.now() + within_ms
  while (!(await condition())) {
    if (performance.now() > end)
      throw new Error(`it did not come true within ${within_ms} ms: ${condition.toString()}`)
    await sleep(every_ms)
  }
}
