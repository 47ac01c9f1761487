import { writeFileSync } from 'node:fs'
import { buildPackage } from './build-package.ts'
import { generateTypes } from './write-types.ts'

/** `npm run build`: writes the types of the contract, then the package as it is published, into `dist`. */
writeFileSync(new URL('src/types.ts', import.meta.url), generateTypes())
await buildPackage(new URL('dist/', import.meta.url))
