import { createHmac } from 'node:crypto'

export type SignBody = {
  body: string
  /** Seconds since 1970, of this attempt (HOOK-2). */
  unix_seconds: number
  /** The tenant's secrets that sign now, the newest first: one, or two for a day after a rotation (HOOK-3). */
  secrets: readonly string[]
}

/** The value of `X-Service-Signature`: `t=…,v1=…`, a `v1` for each secret. Keyed with the whole `whsec_…` text. */
export function signBody({ body, unix_seconds, secrets }: SignBody): string {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${unix_seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${unix_seconds}`, ...signatures].join(',')
}
