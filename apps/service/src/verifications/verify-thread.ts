import {
  makeEncryptionKey,
  openResponse,
  verifyPresentation,
  type Anchor,
  type Outcome,
  type StatusListToken,
  type VerifierRequest,
} from '@vidimus/protocol'
import type { Environment } from '@vidimus/contract'
import type { TrustScope } from '../trust/own/scope.ts'
import { serveTasks, type Ask } from '../platform/serve-tasks.ts'

/** A wallet's answer and all that it is held against. The thread has no clock: `now` comes along. */
export type VerifyTask = {
  body: string
  encryption_material: Uint8Array
  request: Omit<VerifierRequest, 'encryption_key_thumbprint'>
  trust: TrustScope
  trust_version: string
  status_unavailable: 'fail' | 'warning'
  now: number
}

/** `malformed` is no answer of this session; the outcome is final. */
export type Verified = { kind: 'malformed'; reason: string } | { kind: 'final'; outcome: Outcome }

/** What the thread asks for. It says what it has already, so that a megabyte travels once and not with every answer. */
export type Question =
  | { about: 'anchors'; trust: TrustScope }
  | { about: 'status'; environment: Environment; uri: string; now: number; known: string | undefined }
/** Without a token it is the copy that is known. Undefined when the list cannot be had. */
export type StatusAnswer = { version: string; good_until: number; token?: StatusListToken } | undefined

const maxLists = 50
const maxScopes = 50
const anchorsOf = new Map<string, { version: string; anchors: Anchor[] }>()
const lists = new Map<string, { version: string; good_until: number; token: StatusListToken }>()

serveTasks<VerifyTask, Verified>(async (task, ask) => {
  const encryption_key = makeEncryptionKey(task.encryption_material)
  const opened = openResponse(task.body, { state: task.request.state, encryption_key })
  switch (opened.kind) {
    case 'malformed':
      return opened
    case 'error':
      return {
        kind: 'final',
        outcome: { status: 'failed', claims: {}, credentials: [], error: opened.error },
      }
    case 'presentation': {
      const request = { ...task.request, encryption_key_thumbprint: encryption_key.thumbprint }
      const trust = {
        anchors: await anchorsFor(task, ask),
        lookUpStatus: (uri: string) => lookUpStatus(task, uri, ask),
        status_unavailable: task.status_unavailable,
      }
      return { kind: 'final', outcome: await verifyPresentation(request, opened.vp_token, trust, task.now) }
    }
  }
})

/** The same anchors stay the same array, too. */
async function anchorsFor({ trust, trust_version: version }: VerifyTask, ask: Ask): Promise<Anchor[]> {
  const name = `${trust.environment} ${trust.tenant?.id ?? ''}`
  const known = anchorsOf.get(name)
  if (known?.version === version) return known.anchors
  const question: Question = { about: 'anchors', trust }
  const anchors = (await ask(question)) as Anchor[] // answered by `answerThread`
  keep(anchorsOf, maxScopes, name, { version, anchors })
  return anchors
}

/** Asks when the copy that is here may have been replaced. The same token stays the same object: the core opens and inflates it once. */
async function lookUpStatus(
  { trust: { environment }, now }: VerifyTask,
  uri: string,
  ask: Ask,
): Promise<StatusListToken | undefined> {
  const name = `${environment} ${uri}`
  const known = lists.get(name)
  if (known !== undefined && now < known.good_until) return known.token
  const question: Question = { about: 'status', environment, uri, now, known: known?.version }
  const answer = (await ask(question)) as StatusAnswer // answered by `answerThread`
  const token = answer?.token ?? known?.token
  if (answer === undefined || token === undefined) return undefined
  keep(lists, maxLists, name, { version: answer.version, good_until: answer.good_until, token })
  return token
}

/** Keeps the newest, so many of them. */
function keep<Kept>(all: Map<string, Kept>, most: number, name: string, kept: Kept): void {
  all.delete(name)
  all.set(name, kept)
  const [oldest] = all.keys()
  if (all.size > most && oldest !== undefined) all.delete(oldest)
}
