import { StillPendingError } from './errors.ts'
import type { Connection } from './send.ts'
import type {
  CreateVerification,
  Erasure,
  Verification,
  VerificationList,
  VerificationStatus,
} from './types.ts'

export type CallOptions = { signal?: AbortSignal | undefined }
export type CreateOptions = CallOptions & {
  /** Of your own, such as an order's number; one is made for each call otherwise, so that repetitions create nothing further. */
  idempotencyKey?: string | undefined
}
export type ListOptions = CallOptions & {
  /** 1-100 sessions a page; 20 unless given, and 100 in `listAll`. */
  limit?: number | undefined
  /** Only sessions created before this time, as `created_at` gives it. */
  before?: string | undefined
}
export type WaitOptions = CallOptions & {
  /** Until the session ends by itself unless given: at most an hour. */
  timeoutMs?: number | undefined
  /** Between two looks. 1,000 unless given. */
  intervalMs?: number | undefined
}

export type Verifications = ReturnType<typeof createVerificationsApi>

/** A session lives an hour at most; a little more for clocks that differ. */
const maxWait_ms = 3_660_000

/** Everything that can be done with verifications. `bearer` is asked anew for every request. */
export function createVerificationsApi({ call, sleep }: Connection, bearer: () => Promise<string>) {
  return {
    /** Creates a session. Show its `wallet_uri` as a QR code or a link. Repeated calls for one deed need one `idempotencyKey`. */
    async create(input: CreateVerification, options: CreateOptions = {}): Promise<Verification> {
      const { idempotencyKey = crypto.randomUUID(), signal } = options
      return call({
        method: 'POST',
        path: '/v1/verifications',
        bearer: await bearer(),
        body: input,
        headers: { 'idempotency-key': idempotencyKey },
        repeat: 'always',
        signal,
      })
    },

    /** The whole session, with claims and findings once it is answered. */
    async retrieve(id: string, { signal }: CallOptions = {}): Promise<Verification> {
      return call({
        method: 'GET',
        path: verificationPath(id),
        bearer: await bearer(),
        repeat: 'always',
        signal,
      })
    },

    /** One page, newest first. */
    list,

    /** Every session, newest first, page after page. Sessions created meanwhile are neither skipped over nor seen twice. */
    async *listAll({ limit = 100, before, signal }: ListOptions = {}): AsyncGenerator<Verification, void> {
      for (let bound = before; ;) {
        const { data } = await list({ limit, before: bound, signal })
        yield* data
        const last = data.at(-1)
        if (last === undefined || data.length < limit) return
        bound = last.created_at
      }
    },

    /** Erases a session for good. Should the answer be lost, the repetition throws `session_not_found`: it is gone. */
    async delete(id: string, { signal }: CallOptions = {}): Promise<Erasure> {
      return call({
        method: 'DELETE',
        path: verificationPath(id),
        bearer: await bearer(),
        repeat: 'always',
        signal,
      })
    },

    /** Redeems the `response_code` that came with the holder to your `redirect_url`. It works once, so it is not repeated blindly. */
    async redeem(id: string, response_code: string, { signal }: CallOptions = {}): Promise<Verification> {
      return call({
        method: 'POST',
        path: `${verificationPath(id)}/redeem`,
        bearer: await bearer(),
        body: { response_code },
        repeat: 'unless_lost',
        signal,
      })
    },

    status,

    /** Waits until the session is `completed`, `failed` or `expired`, and returns it whole. */
    async waitForCompletion(id: string, options: WaitOptions = {}): Promise<Verification> {
      const { timeoutMs = maxWait_ms, intervalMs = 1000, signal } = options
      const deadline = Date.now() + timeoutMs
      while ((await status(id, { signal })).status === 'pending') {
        const left_ms = deadline - Date.now()
        if (left_ms <= 0)
          throw new StillPendingError(`nobody answered within ${timeoutMs} ms; the session goes on`)
        await sleep(Math.min(intervalMs, left_ms), signal)
      }
      return call({
        method: 'GET',
        path: verificationPath(id),
        bearer: await bearer(),
        repeat: 'always',
        signal,
      })
    },
  }

  /** The status alone. Needs no key, so that a browser may ask too. */
  function status(id: string, { signal }: CallOptions = {}): Promise<VerificationStatus> {
    return call({ method: 'GET', path: `${verificationPath(id)}/status`, repeat: 'always', signal })
  }

  async function list({ limit, before, signal }: ListOptions = {}): Promise<VerificationList> {
    const query = new URLSearchParams()
    if (limit !== undefined) query.set('limit', String(limit))
    if (before !== undefined) query.set('before', before)
    const path = `/v1/verifications${query.size === 0 ? '' : `?${query.toString()}`}`
    return call({ method: 'GET', path, bearer: await bearer(), repeat: 'always', signal })
  }
}

function verificationPath(id: string): string {
  if (id === '') throw new TypeError('the id of the verification is empty')
  return `/v1/verifications/${encodeURIComponent(id)}`
}
