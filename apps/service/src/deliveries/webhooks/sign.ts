import { createHmac } from 'node:crypto'

export type SignBody = {
  body: string
  /** The time of this attempt (HOOK-2). */
  unix_seconds: number
  /** The tenant's active secrets, newest first: one, or two for a day after a rotation (HOOK-3). */
  secrets: readonly string[]
}

/** Returns the value of `X-Service-Signature`: `t=…,v1=…`, with one `v1` per secret. The key is the whole `whsec_…` string. */
export function signBody({ body, unix_seconds, secrets }: SignBody): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unix_seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${unix_seconds}`, ...signatures].join(',')
}
