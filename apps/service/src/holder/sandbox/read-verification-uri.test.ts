import { expect, test } from 'vitest'
import { dcUri, readVerificationUri } from './respond.ts'

const base_url = 'https://verify.example'
const id = 'vs_1'
const link = (scheme: string, name: string, uri: string) => `${scheme}://?${name}=${encodeURIComponent(uri)}`

test.each([
  link('openid4vp', 'request_uri', `${base_url}/wallet/request/${id}`),
  link('openid4vp', 'request_uri', `${base_url}/wallet/request/${id}?via=screen`),
  link('eu-eaap', 'request_uri', `${base_url}/wallet/request/${id}`),
  `https://wallet.example/open?request_uri=${encodeURIComponent(`${base_url}/wallet/request/${id}`)}`,
  link('av', 'response_uri', `${base_url}/wallet/response/${id}?via=age_app`),
  `${base_url}/wallet/dc/${id}`,
  `${base_url}/verify/${id}?lang=de`,
  `${base_url}/v1/verifications/${id}`,
])('a verification is found in %s', (uri) => {
  expect(readVerificationUri(uri)).toEqual({ base_url, id })
})

test.each([
  '',
  'nothing',
  'openid4vp://',
  link('openid4vp', 'response_uri', `${base_url}/wallet/request/${id}`),
  link('av', 'request_uri', `${base_url}/wallet/request/${id}`),
  link('openid4vp', 'request_uri', `file:///wallet/request/${id}`),
  `${base_url}/wallet/request/../../v1/usage`,
  `${base_url}/healthz`,
  `${base_url}/verify/${id}/session`,
])('no verification is found in %s', (uri) => {
  expect(readVerificationUri(uri)).toBeUndefined()
})

test('the host that a client would connect to counts, not the beginning of the text', () => {
  expect(readVerificationUri(`${base_url}@evil.example/verify/${id}`)?.base_url).toBe('https://evil.example')
})

test('the requests for the Digital Credentials API have their own address', () => {
  expect(dcUri({ base_url, id })).toBe('https://verify.example/wallet/dc/vs_1')
})
