import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type { Trust } from '../trust/open.ts'
import { openThreads, type Threads } from '../platform/threads.ts'
import type { Question, StatusAnswer, Verified, VerifyTask } from './verify-thread.ts'

export type Verifier = Threads<VerifyTask, Verified>

export const bounds = { maxWaiting: 500, timeLimit_ms: 5000 }
const versions = new WeakMap<object, string>()

/** The threads that check wallets' answers: as many as there are processors, each with the anchors and lists it last saw. */
export function openVerifier(trust: Trust): Verifier {
  return openThreads({
    ...bounds,
    file: new URL('./verify-thread.ts', import.meta.url),
    size: availableParallelism(),
    answer: (question) => answerThread(trust, question as Question), // only our own thread asks
  })
}

async function answerThread(trust: Trust, question: Question): Promise<unknown> {
  if (question.about === 'anchors') return trust.scopes.anchors(question.trust)
  const found = await trust.lookUpStatus(question)
  if (found === undefined) return undefined
  const { token, good_until } = found
  const version = versionOf(token)
  const answer: StatusAnswer = { version, good_until, ...(version !== question.known && { token }) }
  return answer
}

function versionOf(token: { token: string | Uint8Array }): string {
  let version = versions.get(token)
  if (version === undefined) {
    version = createHash('sha256').update(token.token).digest('base64')
    versions.set(token, version)
  }
  return version
}
