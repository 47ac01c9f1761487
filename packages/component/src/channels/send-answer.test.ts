import { expect, test } from 'vitest'
import { session } from '../../test/session.ts'
import type { DcAnswer } from './digital-credentials.ts'
import { sendAnswer } from './send-answer.ts'

const response: DcAnswer = { kind: 'response', protocol: 'openid4vp-v1-signed', response: 'a.b.c.d.e' }
const completed = session({ phase: 'completed' })
const page_url = 'https://verify.example/verify/vs_1'

test('[DC-10] a response is posted as a form, and accepted with its redirect', async () => {
  const service = scripted([{ status: 200, redirect_uri: 'https://shop.example/#1' }])

  expect(await sendAnswer(response, service, noWait)).toEqual({
    kind: 'answer_accepted',
    redirect_uri: 'https://shop.example/#1',
    session: completed,
  })
  expect(service.forms).toEqual([{ protocol: 'openid4vp-v1-signed', response: 'a.b.c.d.e' }])
})

test('a response that may be repeated leads nowhere: the session says how it failed', async () => {
  const service = scripted([{ status: 200, redirect_uri: page_url }])

  expect(await sendAnswer(response, service, noWait)).toEqual({ kind: 'answer_accepted', session: completed })
})

test('a response is posted again after a failure of the network or the service', async () => {
  const service = scripted([
    new TypeError('Failed to fetch'),
    { status: 503 },
    { status: 429 },
    { status: 200 },
  ])

  expect(await sendAnswer(response, service, noWait)).toMatchObject({ kind: 'answer_accepted' })
  expect(service.forms).toHaveLength(4)
})

test('after four attempts the holder is told', async () => {
  const service = scripted(Array.from({ length: 9 }, () => ({ status: 503 })))

  expect(await sendAnswer(response, service, noWait)).toEqual({ kind: 'dc_ended', notice: 'send_failed' })
  expect(service.forms).toHaveLength(4)
})

test.each([400, 403, 404])('a response that is refused with %s is not repeated', async (status) => {
  const service = scripted([{ status }])

  expect(await sendAnswer(response, service, noWait)).toEqual({ kind: 'dc_ended', notice: 'wallet_error' })
  expect(service.forms).toHaveLength(1)
})

test.each([409, 410])('[DC-10] after %s the session tells how it ended', async (status) => {
  expect(await sendAnswer(response, scripted([{ status }]), noWait)).toEqual({
    kind: 'answer_refused',
    session: completed,
  })
})

test("a wallet's error is posted once, and leads back even if that fails", async () => {
  const service = scripted([new TypeError('Failed to fetch')])
  const answer: DcAnswer = { kind: 'error', protocol: 'org-iso-mdoc', error: 'access_denied' }

  expect(await sendAnswer(answer, service, noWait)).toEqual({ kind: 'dc_ended', notice: 'declined' })
  expect(service.forms).toEqual([{ protocol: 'org-iso-mdoc', error: 'access_denied' }])
  expect(await sendAnswer({ ...answer, error: 'server_error' }, service, noWait)).toEqual({
    kind: 'dc_ended',
    notice: 'wallet_error',
  })
})

test.each([
  ['cancelled', 'no_answer'],
  ['failed', 'wallet_error'],
] as const)('a call that is %s posts nothing', async (kind, notice) => {
  const service = scripted([])

  expect(await sendAnswer({ kind }, service, noWait)).toEqual({ kind: 'dc_ended', notice })
  expect(service.forms).toEqual([])
})

type Posted = { status: number; redirect_uri?: string }

function scripted(results: (Posted | Error)[]) {
  const forms: Record<string, string>[] = []
  return {
    page_url,
    forms,
    async postDcAnswer(form: Record<string, string>): Promise<Posted> {
      forms.push(form)
      const result = results.shift()
      if (result === undefined || result instanceof Error) throw result ?? new Error('posted too often')
      return result
    },
    readSession: async () => completed,
  }
}

async function noWait(): Promise<void> {}
