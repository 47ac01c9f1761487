import type { MetricSnapshot } from './merge-metrics.ts'

/**
 * What supervisor and children tell each other, over the channel that Node opens between a process and its child. A child leaves
 * signals to the supervisor: a terminal and systemd send them to every process at once.
 */

/** Why a child has to end: the whole service stops, or another process has taken this one's place. */
export type StopReason = 'SIGTERM' | 'SIGINT' | 'replaced'

export type ToChild =
  | { type: 'stop'; reason: StopReason }
  /** Answered with the same id. */
  | { type: 'ask'; id: number; about: 'metrics' | 'readiness' }
  /** The answer to `closed`. Messages keep their order, so no connection follows. */
  | { type: 'closed' }

export type ToSupervisor =
  /** It listens, and `/readyz` succeeds. */
  | { type: 'ready'; address: string }
  | { type: 'answer'; id: number; metrics: MetricSnapshot }
  | { type: 'answer'; id: number; ready: boolean }
  /** It has stopped accepting. A connection that the supervisor had sent before it knew is returned to it and given to another process. */
  | { type: 'closed' }
  /** Sent before a child exits, so that what it counted is not lost. */
  | { type: 'last metrics'; metrics: MetricSnapshot }
