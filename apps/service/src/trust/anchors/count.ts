import type { Environment } from '@vidimus/contract'
import type { Database } from '../../engine/db/index.ts'
import { readAnchors } from './store.ts'

/** How many anchors of issuers are in effect now, not counting the sandbox's. */
export async function countAnchors({ db }: { db: Database }): Promise<Record<Environment, number>> {
  const current = (await readAnchors(db)).filter(({ role, lapsed }) => role === 'issuing' && !lapsed)
  const count = (environment: Environment) =>
    current.filter((anchor) => anchor.environment === environment).length
  return { test: count('test'), live: count('live') }
}
