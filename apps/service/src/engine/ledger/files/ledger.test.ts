import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newLedgerFolder } from '../../../../test/ledger-folder.ts'
import { startService } from '../../../../test/service.ts'
import { sql } from '../../db/sql.ts'

test('[LEDGER-1] an erasure is appended before it commits, without its id, and marked by its transaction', async () => {
  const folder = newLedgerFolder()
  await using service = await startService({ environment: { ERASURE_LEDGER: folder } })
  const merchant = await service.tenant()
  const { id } = (await merchant.post('/v1/verifications', { template: 'age_over_18' })).body

  expect((await merchant.delete(`/v1/verifications/${id}`)).status).toBe(200)

  const [name = ''] = readdirSync(folder)
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n')
  expect(lines).toEqual([
    `vidimus-ledger-1 ${name}`,
    expect.stringMatching(/^entry 0 verification \d{4}-\d\d-\d\d [\w-]{22} \d{4}-\S+Z$/),
    'committed 1 0',
  ])
  expect(lines.join('\n')).not.toContain(id)
  expect(await service.ctx.db.query(sql`select ledger, position from erasure_marks`)).toEqual([
    { ledger: name, position: 0 },
  ])
  await service.ctx.ledger.confirm(service.ctx.db)
  expect(await service.ctx.db.query(sql`select position from erasure_marks`)).toEqual([])
  expect(await service.ctx.ledger.readPending(service.ctx.db)).toMatchObject({ lost: [], in_doubt: [] })
})
