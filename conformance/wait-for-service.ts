import { setTimeout as sleep } from 'node:timers/promises'

const maxWait_ms = 15_000

/** Waits for the service to be there at all. What nobody answers is no deviation; the reason, when it stays away. */
export async function waitForService(base_url: string): Promise<string | undefined> {
  for (let waited_ms = 0; ; waited_ms += 500) {
    try {
      await fetch(base_url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
      return undefined
    } catch (error) {
      // fetch wraps what the system said.
      const { cause } = error as Error
      if (waited_ms >= maxWait_ms) return cause instanceof Error ? cause.message : String(error)
    }
    await sleep(500)
  }
}
