import { digestOf, encodeDisclosure } from '../issuer/conceal.ts'
import { encodeJson, type Json, type JsonObject } from '../keys/sign-jws.ts'
import { inSdJwt, type Fault } from './fault.ts'

/** Faults of what an SD-JWT VC discloses (RFC 9901 §7.1). */
export const disclosureFaults: readonly Fault[] = [
  {
    name: 'disclosure_tampered',
    description: 'the value of a disclosed claim is changed',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: ([first = '', ...rest]) => [tamper(first), ...rest] },
  },
  {
    name: 'disclosure_respaced',
    description: 'a disclosure says the same in other bytes than those that were signed',
    expect: inSdJwt('disclosures'),
    alterations: {
      disclosures: ([first = '', ...rest]) => [
        Buffer.from(JSON.stringify(decode(first), undefined, 1)).toString('base64url'),
        ...rest,
      ],
    },
  },
  {
    name: 'disclosure_duplicated',
    description: 'a disclosure is enclosed twice',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: (right) => [...right, ...right.slice(0, 1)] },
  },
  {
    name: 'disclosure_unreferenced',
    description: 'a disclosure is enclosed that the issuer never signed',
    expect: inSdJwt('disclosures'),
    alterations: { disclosures: (right) => [...right, encodeDisclosure('role', 'administrator')] },
  },
  {
    name: 'disclosure_overwrites',
    description: 'a disclosed claim has the name of one that stands open',
    expect: inSdJwt('disclosures'),
    alterations: concealed(['organization', 'of the disclosure'], { organization: 'of the payload' }),
  },
  {
    name: 'disclosure_named_sd',
    description: 'a disclosed claim is named _sd',
    expect: inSdJwt('disclosures'),
    alterations: concealed(['_sd', []]),
  },
  {
    name: 'disclosure_named_dots',
    description: 'a disclosed claim is named ...',
    expect: inSdJwt('disclosures'),
    alterations: concealed(['...', 'value']),
  },
  {
    name: 'disclosure_status',
    description: 'the reference to the status list is disclosed instead of standing open',
    expect: inSdJwt('disclosures'),
    alterations: concealed(['status', { status_list: { idx: 0, uri: 'https://elsewhere.example' } }], {
      status: undefined,
    }),
  },
  {
    name: 'disclosure_without_name',
    description: 'an element of an array is disclosed as a claim',
    expect: inSdJwt('disclosures'),
    alterations: concealed(['element']),
  },
  {
    name: 'digest_twice',
    description: 'the issuer signed the same digest in two places',
    expect: inSdJwt('disclosures'),
    alterations: { issuer_payload: (right) => ({ ...right, more: { _sd: right['_sd'] } }) },
  },
  {
    name: 'digest_algorithm',
    description: 'the digests are made with an algorithm that is not accepted',
    expect: inSdJwt('disclosures'),
    alterations: { issuer_payload: (right) => ({ ...right, _sd_alg: 'md5' }) },
  },
]

/** A disclosure that the issuer did sign and the wallet encloses, although it must not be one. */
function concealed(content: readonly Json[], open: JsonObject = {}): Fault['alterations'] {
  const encoded = encodeDisclosure(...content)
  return {
    issuer_payload: (right) => ({
      ...right,
      ...open,
      _sd: [...(Array.isArray(right['_sd']) ? right['_sd'] : []), digestOf(encoded)],
    }),
    disclosures: (right) => [...right, encoded],
  }
}

function decode(disclosure: string): readonly Json[] {
  return JSON.parse(Buffer.from(disclosure, 'base64url').toString('utf8')) as Json[]
}

function tamper(disclosure: string): string {
  return encodeJson([...decode(disclosure).slice(0, -1), 'tampered'])
}
