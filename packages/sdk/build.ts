import { writeFileSync } from 'node:fs'
import { buildPackage } from './build-package.ts'
import { generateOperations, generateTypes } from './write-types.ts'

/** `npm run build`: generates the types from the contract, then builds the published package into `dist`. */
writeFileSync(new URL('src/types.ts', import.meta.url), await generateTypes())
writeFileSync(new URL('src/operations.ts', import.meta.url), generateOperations())
await buildPackage(new URL('dist/', import.meta.url))
