import { setTimeout as sleep } from 'node:timers/promises'

const maxWait_ms = 15_000

/** Waits until the service responds. Returns the reason if it does not; an unreachable service is not a deviation. */
export async function waitForService(base_url: string): Promise<string | undefined> {
  for (let waited_ms = 0; ; waited_ms += 500) {
    try {
      await fetch(base_url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
      return undefined
    } catch (error) {
      // fetch wraps the system's error.
      const { cause } = error as Error
      if (waited_ms >= maxWait_ms) return cause instanceof Error ? cause.message : String(error)
    }
    await sleep(500)
  }
}
