import { expect, test } from 'vitest'
import { erasure, erasureWithInjectedFault } from './erasure.ts'
import { postgresBinaries } from '../../apps/service/test/processes/postgres-server.ts'

const verifications = 12

/** Scaled down; `npm run chaos -- erasure` erases 1,000. It starts a PostgreSQL of its own, to look into its files. */
test.runIf(postgresBinaries !== undefined)(
  `[ERASE-2] [ERASE-4] of ${verifications} erased verifications no text is in the database's files, in Redis or in the log, and the chains verify`,
  { timeout: 240_000 },
  async () => {
    expect(await erasure({ n: verifications })).toMatchObject({ acknowledged: verifications, lost: 0 })
    // The same search finds what is not erased.
    expect((await erasureWithInjectedFault({ n: 3 })).lost).toBeGreaterThanOrEqual(3 * 4)
  },
)
