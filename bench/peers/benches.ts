import type { Bench } from '../figure.ts'
import { responses } from './answers.ts'
import { creations } from './creations.ts'
import { deliveries } from './deliveries.ts'

/** The service beside what a user would pick instead, on the same work. `ratio` is ours to theirs. */
export const benches: Record<string, Bench> = {
  'peers.deliveries': deliveries,
  'peers.answers': responses,
  'peers.creations': creations,
}
