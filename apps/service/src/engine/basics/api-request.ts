import type { Principal } from '../basics/principal.ts'

/** A finished request as its tenant may see it: nothing of its body or of a response. */
export type ApiRequest = {
  principal: Principal
  request_id: string
  method: string
  route: string
  status: number
  error_code: string | undefined
  duration_ms: number
  idempotency: 'new' | 'replayed' | 'conflict' | undefined
  /** The session that it was about. A recorder keeps no more than a hash. */
  session_id: string | undefined
}
