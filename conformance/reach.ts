import { setTimeout as sleep } from 'node:timers/promises'

const waitMs = 15_000

/** Waits for the service to be there at all. What nobody answers is no deviation; the reason, when it stays away. */
export async function reach(base_url: string): Promise<string | undefined> {
  for (let waited = 0; ; waited += 500) {
    try {
      await fetch(base_url, { redirect: 'manual', signal: AbortSignal.timeout(5000) })
      return undefined
    } catch (error) {
      // fetch wraps what the system said.
      const { cause } = error as Error
      if (waited >= waitMs) return cause instanceof Error ? cause.message : String(error)
    }
    await sleep(500)
  }
}
