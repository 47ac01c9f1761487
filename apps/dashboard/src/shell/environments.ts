import type { Environment } from '@vidimus/contract'

export type { Environment }
export const environments = ['test', 'live'] as const satisfies readonly Environment[]

const storageKey = 'environment'

export function isEnvironment(value: string): value is Environment {
  return value === 'test' || value === 'live'
}

/** The environment used last, for an address that names none. */
export function lastEnvironment(): Environment {
  try {
    return localStorage.getItem(storageKey) === 'live' ? 'live' : 'test'
  } catch {
    // Storage is blocked.
    return 'test'
  }
}

export function rememberEnvironment(environment: Environment): void {
  try {
    localStorage.setItem(storageKey, environment)
  } catch {
    // Storage is blocked: the next visit starts in test.
  }
}
