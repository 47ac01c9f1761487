import { setTimeout as sleep } from 'node:timers/promises'
import type { Verdict } from './attempts.ts'

const maxTries = 200
const pause = { first_ms: 200, most_ms: 4000 }

/** Repeats a request until its response is correct. Undefined if it never is. */
export async function repeat<Response extends { verdict: Verdict }>(
  send: () => Promise<Response>,
): Promise<Response | undefined> {
  let pause_ms = pause.first_ms
  for (let tries = 0; tries < maxTries; tries += 1) {
    const response = await send()
    if (response.verdict === 'correct') return response
    await sleep(pause_ms * (0.5 + Math.random()))
    pause_ms = Math.min(pause_ms * 2, pause.most_ms)
  }
  return undefined
}
