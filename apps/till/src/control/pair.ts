import { ApiError, ConnectionError, type DeviceClient } from '@vidimus/sdk'
import type { PairingProblem, TillDevice } from '../state/till-state.ts'

/** The second one means that the text is too long to be a code. */
const wrongCode = new Set<string>(['invalid_pairing_code', 'invalid_request'])

/** Pairs the till, or says why it could not. The code is sent once: a lost response may have used it up. */
export async function pair(
  client: DeviceClient,
  code: string,
): Promise<{ device: TillDevice } | { problem: PairingProblem }> {
  try {
    return { device: await client.pair(code) }
  } catch (error) {
    return { problem: readProblem(error) }
  }
}

function readProblem(error: unknown): PairingProblem {
  if (error instanceof ConnectionError) return 'connection_lost'
  // What is neither a response nor a lost connection is an error of the browser's storage.
  if (!(error instanceof ApiError)) return 'storage'
  if (error.code === 'rate_limit_exceeded') return 'too_many'
  return wrongCode.has(error.code) ? 'wrong_code' : 'service'
}

/** The code in a pairing link's fragment, if there is one. It leaves the address and the history at once. */
export function takePairingCode(): string | undefined {
  const { hash, pathname, search } = location
  if (hash === '') return undefined
  history.replaceState(history.state, '', pathname + search)
  return /^#(VD-[0-9A-Z]{4}-[0-9A-Z]{4})$/i.exec(hash)?.[1]
}
