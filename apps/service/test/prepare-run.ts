import { randomBytes } from 'node:crypto'
import { runIdVariable, dropDatabases } from './database/test-database.ts'
import { templateDatabase } from './database/template-database.ts'

/** Creates the template database before the first test, so that no test spends time on migrations. */
export async function setup(): Promise<void> {
  process.env[runIdVariable] = randomBytes(4).toString('hex')
  await templateDatabase()
}

export async function teardown(): Promise<void> {
  await dropDatabases(process.env[runIdVariable] ?? '')
}
