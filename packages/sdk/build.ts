import { writeFileSync } from 'node:fs'
import { packageInto } from './package-into.ts'
import { typesOfContract } from './write-types.ts'

/** `npm run build`: writes the types of the contract, then the package as it is published, into `dist`. */
writeFileSync(new URL('src/types.ts', import.meta.url), typesOfContract())
await packageInto(new URL('dist/', import.meta.url))
