import { templateDatabase } from './template-database.ts'

/** Before any test of the service, so that no test's time goes into migrating. */
export async function setup(): Promise<void> {
  await templateDatabase()
}
