import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { generatedFolders, generateSdks } from '../generate/generate.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

test('the generated part of every SDK matches the contract', () => {
  const files = generateSdks()
  const outdated = Object.entries(files).filter(
    ([file, text]) => !existsSync(root + file) || readFileSync(root + file, 'utf8') !== text,
  )
  const others = generatedFolders.flatMap((folder) =>
    globSync(`${folder}/*`, { cwd: root }).filter((file) => !(file in files)),
  )

  expect(outdated.map(([file]) => file)).toEqual([])
  expect(others).toEqual([])
})
