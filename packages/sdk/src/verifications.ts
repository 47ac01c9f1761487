import { StillPendingError } from './errors.ts'
import type { Connection } from './send.ts'
import type {
  ComparePhoto,
  CreateVerification,
  Erasure,
  PhotoComparison,
  Verification,
  VerificationList,
  VerificationStatus,
} from './types.ts'

export type CallOptions = { signal?: AbortSignal | undefined }
export type CreateOptions = CallOptions & {
  /** Your own key, such as an order number. Default: a new key for each call, so that retries create nothing twice. */
  idempotencyKey?: string | undefined
  /** Whether a `query` that violates DCQL is refused instead of warned of. Default: what your policies say. */
  strict?: boolean | undefined
}
export type ListOptions = CallOptions & {
  /** Verifications per page, 1-100. Default: 20, and 100 in `listAll`. */
  limit?: number | undefined
  /** Only verifications created before this time, in the form of `created_at`. */
  before?: string | undefined
  /** Only verifications with this status. */
  status?: VerificationStatus['status'] | undefined
  /** Only verifications created with this template. */
  template?: string | undefined
  /** Only verifications created after this time. */
  createdAfter?: string | undefined
  /** Only verifications created before this time, whatever the page. */
  createdBefore?: string | undefined
  /** Only verifications with these names and values in their metadata, at most 5. */
  metadata?: Record<string, string> | undefined
}
export type WaitOptions = CallOptions & {
  /** Default: until the verification has a result or expires, at most about an hour. */
  timeoutMs?: number | undefined
  /** The polling interval. Default: 1,000. */
  intervalMs?: number | undefined
}

export type Verifications = ReturnType<typeof createVerificationsApi>

/** A verification lives for at most an hour; one minute more allows for clock skew. */
const maxWait_ms = 3_660_000

/** The operations on verifications. `bearer` is called for every request. */
export function createVerificationsApi(
  { baseUrl, call, sleep, pageOf }: Connection,
  bearer: () => Promise<string>,
) {
  return {
    /** Creates a verification. Show its `wallet_uri` as a QR code or a link. If you repeat the call yourself, pass the same `idempotencyKey`. */
    async create(input: CreateVerification, options: CreateOptions = {}): Promise<Verification> {
      const { idempotencyKey = crypto.randomUUID(), strict, signal } = options
      return call({
        method: 'POST',
        path: `/v1/verifications${strict === undefined ? '' : `?strict=${strict}`}`,
        bearer: await bearer(),
        body: input,
        headers: { 'idempotency-key': idempotencyKey },
        retry: 'always',
        signal,
      })
    },

    /** The address of the page on which the holder continues with their wallet. Send the holder there, or put it as a link inside `<vidimus-verify>`. */
    pageUrl(verification: Pick<Verification, 'id'>): string {
      const { id } = verification
      if (id === '') throw new TypeError('The verification id is empty.')
      return pageOf(verification) ?? `${baseUrl}/verify/${encodeURIComponent(id)}`
    },

    /** Returns the verification, with claims and findings once the wallet has responded. */
    async retrieve(id: string, { signal }: CallOptions = {}): Promise<Verification> {
      return call({
        method: 'GET',
        path: verificationPath(id),
        bearer: await bearer(),
        retry: 'always',
        signal,
      })
    },

    /** Lists one page, newest first. */
    list,

    /** Iterates over all verifications, newest first. Verifications created in the meantime cause no gaps or duplicates. */
    async *listAll({ limit = 100, ...options }: ListOptions = {}): AsyncGenerator<Verification, void> {
      for (let { before } = options; ;) {
        const { data, next_before } = await list({ ...options, limit, before })
        yield* data
        // A filtered page may be short; only `next_before` says whether more follow.
        const next = next_before ?? (data.length < limit ? undefined : data.at(-1)?.created_at)
        if (next === undefined) return
        before = next
      }
    },

    /** Erases a verification permanently. If a response is lost, the retry throws `session_not_found`: the verification is gone. */
    async delete(id: string, { signal }: CallOptions = {}): Promise<Erasure> {
      return call({
        method: 'DELETE',
        path: verificationPath(id),
        bearer: await bearer(),
        retry: 'always',
        signal,
      })
    },

    /** Cancels a verification that no wallet has responded to. It reads `expired` at once. Throws `session_already_responded` if a wallet was first. */
    async cancel(id: string, { signal }: CallOptions = {}): Promise<Verification> {
      return call({
        method: 'POST',
        path: `${verificationPath(id)}/cancel`,
        bearer: await bearer(),
        retry: 'always',
        signal,
      })
    },

    /** Records whether the photo of a completed verification shows the person who is present. The first decision stays. */
    async compare(
      id: string,
      decision: ComparePhoto,
      { signal }: CallOptions = {},
    ): Promise<PhotoComparison> {
      return call({
        method: 'POST',
        path: `${verificationPath(id)}/comparison`,
        bearer: await bearer(),
        body: decision,
        retry: 'always',
        signal,
      })
    },

    /** Redeems the `response_code` from the fragment of your `redirect_url`. A code works once, so the request is not retried if its response is lost. */
    async redeem(id: string, response_code: string, { signal }: CallOptions = {}): Promise<Verification> {
      return call({
        method: 'POST',
        path: `${verificationPath(id)}/redeem`,
        bearer: await bearer(),
        body: { response_code },
        retry: 'unless_lost',
        signal,
      })
    },

    status,

    /** Waits until the verification is `completed`, `failed` or `expired`, and returns it. */
    async waitForCompletion(id: string, options: WaitOptions = {}): Promise<Verification> {
      const { timeoutMs = maxWait_ms, intervalMs = 1000, signal } = options
      const deadline = Date.now() + timeoutMs
      while ((await status(id, { signal })).status === 'pending') {
        const left_ms = deadline - Date.now()
        if (left_ms <= 0)
          throw new StillPendingError(`The verification is still pending after ${timeoutMs} ms.`)
        await sleep(Math.min(intervalMs, left_ms), signal)
      }
      return call({
        method: 'GET',
        path: verificationPath(id),
        bearer: await bearer(),
        retry: 'always',
        signal,
      })
    },
  }

  /** Returns the status only. Needs no key, so browsers can call it too. */
  function status(id: string, { signal }: CallOptions = {}): Promise<VerificationStatus> {
    return call({ method: 'GET', path: `${verificationPath(id)}/status`, retry: 'always', signal })
  }

  async function list({
    signal,
    createdAfter,
    createdBefore,
    metadata = {},
    ...rest
  }: ListOptions = {}): Promise<VerificationList> {
    const query = new URLSearchParams()
    const given = { ...rest, created_after: createdAfter, created_before: createdBefore }
    for (const [name, value] of Object.entries(given)) if (value !== undefined) query.set(name, String(value))
    for (const [name, value] of Object.entries(metadata)) query.set(`metadata[${name}]`, value)
    const path = `/v1/verifications${query.size === 0 ? '' : `?${query.toString()}`}`
    return call({ method: 'GET', path, bearer: await bearer(), retry: 'always', signal })
  }
}

export function verificationPath(id: string): string {
  if (id === '') throw new TypeError('The verification id is empty.')
  return `/v1/verifications/${encodeURIComponent(id)}`
}
