import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openapiDocument } from './openapi.ts'

test('[GEN-4] the committed OpenAPI document matches the schemas and has version 0.1.0', () => {
  const committed: unknown = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'))

  expect(openapiDocument()).toEqual(committed)
  expect(committed).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } })
})
