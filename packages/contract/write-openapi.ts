import { writeFileSync } from 'node:fs'
import { openapiDocument } from './src/openapi.ts'

/** Writes the published description. A test compares the committed file with what the schemas say now. */
writeFileSync(new URL('openapi.json', import.meta.url), `${JSON.stringify(openapiDocument(), null, 2)}\n`)
