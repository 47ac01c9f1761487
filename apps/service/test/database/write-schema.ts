import { writeFileSync } from 'node:fs'
import { describeSchema } from './describe-schema.ts'
import { createTestDatabase } from './test-database.ts'

await using database = await createTestDatabase()
writeFileSync('apps/service/schema/schema.sql', await describeSchema(database.url))
