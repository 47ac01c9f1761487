import type { DatabaseFailure } from '../failures.ts'

/** What a pool tells of itself while it runs. Called for every statement, so it must cost next to nothing. */
export type PoolObserver = {
  /** A statement ended, whether or not it succeeded. */
  onStatement(module: string, seconds: number): void
  /** A caller got a connection, or gave up. */
  onWaited(seconds: number): void
  onFailure(failure: DatabaseFailure, error: unknown): void
  onSuccess(): void
}

export type PoolUsage = { used: number; idle: number; waiting: number; max: number }

export const noObserver: PoolObserver = {
  onStatement: () => {},
  onWaited: () => {},
  onFailure: () => {},
  onSuccess: () => {},
}
