import { writeFileSync } from 'node:fs'
import { openapiDocument } from './src/openapi.ts'

/** Writes openapi.json. A test compares the committed file with the schemas. */
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(openapiDocument(), null, 2)}\n`)
