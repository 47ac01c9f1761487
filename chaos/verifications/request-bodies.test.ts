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
  const complain = openApiValidator()
  const answer = (status: number, body: unknown) => ({
    status,
    body,
    text: JSON.stringify(body),
    headers: new Headers(),
  })
  const sent = { method: 'GET', path: '/v1/verifications?limit=1' } as const

  expect(complain(sent, answer(200, { data: [] }))).toBeUndefined()
  expect(complain(sent, answer(200, { data: [{ id: 'x' }] }))).toBeDefined()
  expect(complain(sent, answer(200, { data: [], more: true }))).toBeDefined()
  expect(complain(sent, answer(418, {}))).toBeDefined()
  expect(complain(sent, answer(400, { error: { code: 'invalid_request' } }))).toBeDefined()
  expect(complain(sent, answer(500, { error: { code: 'internal_error', message: '' } }))).toBeDefined()
})
