import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { encodeCbor } from '../cbor/encode.ts'
import { sessionTranscript } from './present-mdoc.ts'

test('OpenID4VP 1.0 annex B.2.6.1: the session transcript matches the published example byte for byte', () => {
  const thumbprint = createHash('sha256')
    .update(
      '{"crv":"P-256","kty":"EC","x":"DxiH5Q4Yx3UrukE2lWCErq8N8bqC9CHLLrAwLz5BmE0","y":"XtLM4-3h5o3HUH0MHVJV0kyq0iBlrBwlh8qEDMZ4-Pc"}',
    )
    .digest()

  const transcript = sessionTranscript({
    client_id: 'x509_san_dns:example.com',
    nonce: 'exc7gBkxjx1rdc9udRrveKvSsJIq80avlXeLHhGwqtA',
    response_uri: 'https://example.com/response',
    thumbprint,
  })

  expect(Buffer.from(encodeCbor(transcript)).toString('hex')).toBe(
    '83f6f682714f70656e494434565048616e646f7665725820048bc053c00442af9b8eed494cefdd9d95240d254b046b11b68013722aad38ac',
  )
})
