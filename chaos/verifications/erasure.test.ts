import { expect, test } from 'vitest'
import { erasure, erasureWithInjectedFault } from './erasure.ts'
import { postgresBinaries } from '../../apps/service/test/processes/postgres-server.ts'

const verifications = 12

/** Scaled down; `npm run chaos -- erasure` erases 1,000. It starts its own PostgreSQL, to search its files. */
test.runIf(postgresBinaries !== undefined)(
  `[ERASE-2] [ERASE-4] after ${verifications} erasures no text is left in the database's files, in Redis or in the log, and the audit chains verify`,
  { timeout: 240_000 },
  async () => {
    expect(await erasure({ n: verifications })).toMatchObject({ acknowledged: verifications, lost: 0 })
    // The same search finds texts that were not erased.
    expect((await erasureWithInjectedFault({ n: 3 })).lost).toBeGreaterThanOrEqual(3 * 4)
  },
)
