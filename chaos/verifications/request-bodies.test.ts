import { expect, test } from 'vitest'
import { generatedRequests, openApiValidator } from './request-bodies.ts'

const n = 2000

test(
  `[GEN-4] [GEN-10] ${n} generated bodies, query strings and ids: no 500, and no response that the OpenAPI document does not describe`,
  { timeout: 120_000 },
  async () => {
    expect(await generatedRequests({ n })).toMatchObject({ acknowledged: n, lost: 0 })
  },
)

test('[GEN-4] a response that the OpenAPI document does not describe is detected', () => {
  const validate = openApiValidator()
  const response = (status: number, body: unknown) => ({
    status,
    body,
    text: JSON.stringify(body),
    headers: new Headers(),
  })
  const sent = { method: 'GET', path: '/v1/verifications?limit=1' } as const

  expect(validate(sent, response(200, { data: [] }))).toBeUndefined()
  expect(validate(sent, response(200, { data: [{ id: 'x' }] }))).toBeDefined()
  expect(validate(sent, response(200, { data: [], more: true }))).toBeDefined()
  expect(validate(sent, response(418, {}))).toBeDefined()
  expect(validate(sent, response(400, { error: { code: 'invalid_request' } }))).toBeDefined()
  expect(validate(sent, response(500, { error: { code: 'internal_error', message: '' } }))).toBeDefined()
})
