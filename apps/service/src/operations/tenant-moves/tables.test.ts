import { expect, test } from 'vitest'
import { openTestStores } from '../../../test/database/stores.ts'
import { declaredTables } from '../../engine/db/schema/tables.ts'
import { listChangedColumns, listTablesToCopy } from './copy.ts'

test('every table of tenants is copied, or says why it is not, and nothing sealed or keyed is copied as it is', async () => {
  await using stores = await openTestStores()
  const copied = await listTablesToCopy(stores.db)
  const left = declaredTables.filter(({ name, of }) => of === 'tenant' && !copied.includes(name))

  expect(left.map(({ move }) => move)).toEqual(left.map(() => ({ stays: expect.stringMatching(/\w+ \w+/) })))
  const cellOnly = declaredTables
    .filter(({ name }) => copied.includes(name))
    .flatMap(({ name, sealed = {}, bytes = {} }) => [
      ...Object.keys(sealed).map((column) => [name, column] as const),
      ...Object.entries(bytes)
        .filter(([, purpose]) => purpose === 'keyed hash')
        .map(([column]) => [name, column] as const),
    ])
  expect(cellOnly.length).toBeGreaterThan(10)
  expect(cellOnly.filter(([name, column]) => !listChangedColumns(name).includes(column))).toEqual([])
})
