import type { Environment } from '@vidimus/contract'

export type { Environment }
export const environments = ['test', 'live'] as const satisfies readonly Environment[]

const storageKey = 'environment'

export function isEnvironment(value: string): value is Environment {
  return value === 'test' || value === 'live'
}

/** Where somebody who came without saying is led: where they were last. */
export function lastEnvironment(): Environment {
  try {
    return localStorage.getItem(storageKey) === 'live' ? 'live' : 'test'
  } catch {
    // Storage is forbidden here.
    return 'test'
  }
}

export function rememberEnvironment(environment: Environment): void {
  try {
    localStorage.setItem(storageKey, environment)
  } catch {
    // As above.
  }
}
