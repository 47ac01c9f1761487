import { writeSbom } from './supply-chain/write-sbom.ts'

/** `npm run -s sbom`: the SBOM of the program in CycloneDX, for the release workflow. Fails if it is not complete. */
process.stdout.write(`${JSON.stringify(writeSbom(), null, 2)}\n`)
