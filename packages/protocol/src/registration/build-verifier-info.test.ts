import { expect, test } from 'vitest'
import { buildVerifierInfo, findRegistrationToken } from './build-verifier-info.ts'

const token = 'eyJ0eXAiOiJyYy13cnArand0In0.e30.c2ln'
const encoded = Buffer.from(token).toString('base64url')
const dataset = { identifier: 'NTRUT-1', registryURI: 'https://registrar.example' }

test('the certificate is one element, in base64url or as it is, without credential_ids', () => {
  expect(buildVerifierInfo({ token }, undefined, 'base64url')).toEqual([
    { format: 'registration_cert', data: encoded },
  ])
  expect(buildVerifierInfo({ token }, undefined, 'jwt')).toEqual([
    { format: 'registration_cert', data: token },
  ])
})

test('the data set of the registrar is a second element', () => {
  expect(buildVerifierInfo({ token }, dataset, 'base64url')).toEqual([
    { format: 'registration_cert', data: encoded },
    { format: 'registrar_dataset', data: dataset },
  ])
})

test('the certificate is found again in either encoding', () => {
  for (const encoding of ['base64url', 'jwt'] as const)
    expect(findRegistrationToken(buildVerifierInfo({ token }, dataset, encoding))).toBe(token)
})

test.each([
  ['no elements', []],
  ['only a data set', [{ format: 'registrar_dataset', data: dataset }]],
  ['an object as data', [{ format: 'registration_cert', data: {} }]],
  ['text that is no JWT', [{ format: 'registration_cert', data: 'a.b' }]],
  ['text that is neither', [{ format: 'registration_cert', data: '€' }]],
  ['base64url of something else', [{ format: 'registration_cert', data: 'AAAA' }]],
])('none is found in %s', (_, verifierInfo) => {
  expect(findRegistrationToken(verifierInfo)).toBeUndefined()
})

test('none is found without a verifier_info', () => {
  expect(findRegistrationToken()).toBeUndefined()
})
