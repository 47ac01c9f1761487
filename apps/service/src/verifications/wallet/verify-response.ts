import type { Outcome } from '@vidimus/protocol'
import type { VerificationContext } from '../context.ts'
import { TaskLimitError } from '../../engine/threads/index.ts'
import { traced } from '../../engine/observability/index.ts'
import type { Policies } from '../../accounts/index.ts'
import type { VersionedScope } from '../../trust/index.ts'
import { requireAgeAppQuery } from './age-app.ts'
import type { Channel } from './derive-secrets.ts'
import type { OpenSession } from './find-open-session.ts'
import type { VerifiedResponse, VerifyTask } from './verify-thread.ts'

export type VerifyResponse = { channel: Channel; body: string; policies: Policies; trust: VersionedScope }

/** Opens and verifies a wallet response on a thread, against the request of the channel that it arrived on. */
export async function verifyResponse(
  ctx: VerificationContext,
  session: OpenSession,
  { channel, body, policies, trust }: VerifyResponse,
): Promise<VerifiedResponse> {
  if (channel.kind === 'age_app' || channel.kind === 'age_app_screen') await requireAgeAppQuery(ctx, session)
  const { id, seed, certificate, template_version, own_query, query } = session
  const task: VerifyTask = {
    body,
    channel,
    session: { id, seed, certificate },
    created_at: session.created_at_seconds,
    requested:
      own_query || template_version === null
        ? { query }
        : { template_version: template_version.toString('base64') },
    trust: trust.scope,
    trust_version: trust.version,
    status_unavailable: policies.status_unavailable,
    now: session.now_seconds,
  }
  const threadTask = { owner: session.tenant_id, bytes: body.length, task }
  const verifying = traced('verify response', () => ctx.verifier.run(threadTask))
  return verifying.catch((error: unknown): VerifiedResponse => {
    // No valid response takes seconds of CPU time. It is final, so that the same response cannot be posted repeatedly.
    if (error instanceof TaskLimitError) return { kind: 'final', outcome: tooCostlyOutcome }
    throw error
  })
}

const tooCostlyOutcome: Outcome = {
  status: 'failed',
  claims: {},
  credentials: [],
  error: {
    code: 'credential_malformed',
    message: 'The response failed the check credential_encoding: it takes too long to check.',
  },
}
