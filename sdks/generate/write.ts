import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generatedFolders, generateSdks } from './generate.ts'

/** `npm run sdks`: writes the generated part of every SDK. */
const root = fileURLToPath(new URL('../', import.meta.url))
for (const folder of generatedFolders) rmSync(root + folder, { recursive: true, force: true })
for (const [file, text] of Object.entries(generateSdks())) {
  mkdirSync(dirname(root + file), { recursive: true })
  writeFileSync(root + file, text)
}
