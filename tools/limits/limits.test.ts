import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { limitGroups } from './groups.ts'

const limits = limitGroups.flatMap((group) => group.limits)

test('every limit has the value of the constant that it names', async () => {
  const wrong: string[] = []
  for (const { name, file, value } of limits) {
    const exports: unknown = await import(pathToFileURL(file).href)
    if (readMember(exports, name) !== value) wrong.push(`${file}: ${name}`)
  }

  expect(limits.length).toBeGreaterThan(200)
  expect(wrong).toEqual([])
})

function readMember(object: unknown, path: string): unknown {
  return path.split('.').reduce((inner: unknown, key) => Object(inner)[key], object)
}
