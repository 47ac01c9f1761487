import { describe, expect, test } from 'vitest'
import { buildWalletUri } from './build-wallet-uri.ts'

describe('[CREATE-13] [OID4VP-1] wallet_uri', () => {
  const client_id = 'x509_hash:Uvo3HtuIxuhC92rShpgqcT3YXwrqRxWEviRiA0OZszk'
  const request_uri = 'https://verifier.example/wallet/request/vs_1?a=b&c=d#e'
  const parametersOf = (uri: string) => Object.fromEntries(new URL(uri).searchParams)

  test('contains only client_id and request_uri', () => {
    const uri = buildWalletUri({ client_id, request_uri })
    expect(uri).toMatch(/^openid4vp:\/\/\?client_id=/)
    expect(parametersOf(uri)).toEqual({ client_id, request_uri })
  })

  test('contains request_uri_method=post if POST is offered', () => {
    expect(parametersOf(buildWalletUri({ client_id, request_uri, request_uri_method: 'post' }))).toEqual({
      client_id,
      request_uri,
      request_uri_method: 'post',
    })
  })

  test.each([
    ['eu-eaap', /^eu-eaap:\/\/\?/],
    ['haip-vp', /^haip-vp:\/\/\?/],
    ['https://wallet.example/-/open', /^https:\/\/wallet\.example\/-\/open\?/],
  ])('begins with the link %s, and has the same parameters', (link, beginning) => {
    const uri = buildWalletUri({ client_id, request_uri, request_uri_method: 'post', link })
    expect(uri).toMatch(beginning)
    expect(parametersOf(uri)).toEqual({ client_id, request_uri, request_uri_method: 'post' })
  })
})
