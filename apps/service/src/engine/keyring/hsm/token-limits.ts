export type TokenLimits = {
  /** Pieces of work that wait for the token. Further ones are refused. */
  maxWaiting: number
  /** Pieces of work that the token's process has been sent. */
  maxSent: number
  /** From the call to the result. The token counts as hung if it has answered nothing in this time. */
  deadline_ms: number
  /** From the start of the process to open sessions. */
  start_ms: number
  /** An idle token that has signed signs again after this time, so that readiness is known before a wallet asks. */
  probe_ms: number
  /** The longest pause between two attempts to start. */
  maxPause_ms: number
  /** A token that is only needed now and then is left this long after its last use. */
  rest_ms: number
}

export const tokenLimits: TokenLimits = {
  maxWaiting: 1000,
  maxSent: 16,
  deadline_ms: 5000,
  start_ms: 10_000,
  probe_ms: 5000,
  maxPause_ms: 5000,
  rest_ms: 10_000,
}
