import { digestDisclosure, encodeDisclosure } from '../issuer/create-disclosures.ts'
import { encodeJson, type Json, type JsonObject } from '../keys/sign-jws.ts'
import { inSdJwt, type Fault } from './fault.ts'

/** Faults in the disclosures of an SD-JWT VC (RFC 9901 §7.1). */
export const disclosureFaults: readonly Fault[] = [
  {
    name: 'disclosure_tampered',
    description: 'the value of a disclosed claim is changed',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: ([first = '', ...rest]) => [tamperWithValue(first), ...rest] },
  },
  {
    name: 'disclosure_respaced',
    description: 'a disclosure has the same content as the signed one but different bytes',
    expect: inSdJwt('disclosures'),
    alterations: {
      disclosures: ([first = '', ...rest]) => [
        Buffer.from(JSON.stringify(decodeDisclosure(first), undefined, 1)).toString('base64url'),
        ...rest,
      ],
    },
  },
  {
    name: 'disclosure_duplicated',
    description: 'a disclosure occurs twice',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: (original) => [...original, ...original.slice(0, 1)] },
  },
  {
    name: 'disclosure_unreferenced',
    description: 'a disclosure was never signed by the issuer',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: (original) => [...original, encodeDisclosure('role', 'administrator')] },
  },
  {
    name: 'disclosure_overwrites',
    description: 'a disclosed claim has the same name as a claim in the payload',
    expect: inSdJwt('disclosures'),
    alterations: withSignedDisclosure(['organization', 'of the disclosure'], {
      organization: 'of the payload',
    }),
  },
  {
    name: 'disclosure_named_sd',
    description: 'a disclosed claim is named _sd',
    expect: inSdJwt('disclosures'),
    alterations: withSignedDisclosure(['_sd', []]),
  },
  {
    name: 'disclosure_named_dots',
    description: 'a disclosed claim is named ...',
    expect: inSdJwt('disclosures'),
    alterations: withSignedDisclosure(['...', 'value']),
  },
  {
    name: 'disclosure_status',
    description: 'the status list reference is a disclosure instead of a claim in the payload',
    expect: inSdJwt('disclosures'),
    alterations: withSignedDisclosure(
      ['status', { status_list: { idx: 0, uri: 'https://elsewhere.example' } }],
      {
        status: undefined,
      },
    ),
  },
  {
    name: 'disclosure_without_name',
    description: 'an array element is disclosed as a claim',
    expect: inSdJwt('disclosures'),
    alterations: withSignedDisclosure(['element']),
  },
  {
    name: 'digest_twice',
    description: 'the same digest occurs in two places of the payload',
    expect: inSdJwt('disclosures'),
    alterations: { issuer_payload: (original) => ({ ...original, more: { _sd: original['_sd'] } }) },
  },
  {
    name: 'digest_algorithm',
    description: 'the digest algorithm is not accepted',
    expect: inSdJwt('disclosures'),
    alterations: { issuer_payload: (original) => ({ ...original, _sd_alg: 'md5' }) },
  },
]

/** Adds a disclosure that the issuer signed although it is not allowed. */
function withSignedDisclosure(content: readonly Json[], plainClaims: JsonObject = {}): Fault['alterations'] {
  const encoded = encodeDisclosure(...content)
  return {
    issuer_payload: (original) => ({
      ...original,
      ...plainClaims,
      _sd: [...(Array.isArray(original['_sd']) ? original['_sd'] : []), digestDisclosure(encoded)],
    }),
    disclosures: (original) => [...original, encoded],
  }
}

function decodeDisclosure(disclosure: string): readonly Json[] {
  return JSON.parse(Buffer.from(disclosure, 'base64url').toString('utf8')) as Json[]
}

function tamperWithValue(disclosure: string): string {
  return encodeJson([...decodeDisclosure(disclosure).slice(0, -1), 'tampered'])
}
