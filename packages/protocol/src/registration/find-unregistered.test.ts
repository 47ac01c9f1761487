import { describe, expect, test } from 'vitest'
import type { AnyQuery, ClaimsPath } from '../dcql/query.ts'
import { findUnregistered } from './find-unregistered.ts'
import type { RegisteredCredential } from './registration.ts'

const vct = 'urn:eudi:pid:1'
const doctype = 'org.iso.18013.5.1.mDL'
const nameSpace = 'org.iso.18013.5.1'

const pid = (...claims: ClaimsPath[]): RegisteredCredential => ({ format: 'dc+sd-jwt', types: [vct], claims })
const licence = (...claims: ClaimsPath[]): RegisteredCredential => ({
  format: 'mso_mdoc',
  types: [doctype],
  claims,
})
const askPid = (...paths: ClaimsPath[]): AnyQuery => ({
  credentials: [
    {
      id: 'pid',
      format: 'dc+sd-jwt',
      meta: { vct_values: [vct] },
      ...(paths.length > 0 && { claims: paths.map((path) => ({ path })) }),
    },
  ],
})
const askTypes = (...vct_values: string[]): AnyQuery => ({
  credentials: [{ id: 'pid', format: 'dc+sd-jwt', meta: { vct_values }, claims: [{ path: ['a'] }] }],
})
const askLicence = (...paths: ClaimsPath[]): AnyQuery => ({
  credentials: [
    {
      id: 'mdl',
      format: 'mso_mdoc',
      meta: { doctype_value: doctype },
      claims: paths.map((path) => ({ path })),
    },
  ],
})

describe('a registration covers', () => {
  test.each<[string, AnyQuery, RegisteredCredential[]]>([
    ['the claim itself', askPid(['given_name']), [pid(['family_name'], ['given_name'])]],
    ['a member of a registered claim', askPid(['address', 'locality']), [pid(['address'])]],
    ['an element of all elements', askPid(['nationalities', 0]), [pid(['nationalities', null])]],
    ['all elements', askPid(['nationalities', null]), [pid(['nationalities', null])]],
    ['a path through all elements', askPid(['a', 3, 'b']), [pid(['a', null, 'b'])]],
    ['a query without claims', askPid(), [pid(['given_name'])]],
    ['every claim if none is listed', askPid(['x'], ['y', 'z']), [{ format: 'dc+sd-jwt', types: [vct] }]],
    ['an element of an mdoc', askLicence([nameSpace, 'age_over_18']), [licence([nameSpace, 'age_over_18'])]],
    ['an element of a registered namespace', askLicence([nameSpace, 'portrait']), [licence([nameSpace])]],
    ['claims of two registered credentials of a type', askPid(['a'], ['b']), [pid(['a']), pid(['b'])]],
    ['one of several types', askTypes('urn:other', vct), [pid(['a'])]],
    ['a national PID by the base type', askTypes('urn:eudi:pid:nl:1'), [pid(['a'])]],
    ['an empty query', { credentials: [] }, []],
  ])('%s', (_, query, credentials) => {
    expect(findUnregistered(query, { credentials })).toEqual([])
  })
})

describe('a registration does not cover', () => {
  const inPid = { credential_id: 'pid', format: 'dc+sd-jwt', type: vct }
  const inLicence = { credential_id: 'mdl', format: 'mso_mdoc', type: doctype }

  test.each<[string, AnyQuery, RegisteredCredential[], unknown[]]>([
    [
      'another claim',
      askPid(['given_name'], ['birthdate']),
      [pid(['given_name'])],
      [{ ...inPid, paths: [['birthdate']] }],
    ],
    [
      'a claim above',
      askPid(['address']),
      [pid(['address', 'locality'])],
      [{ ...inPid, paths: [['address']] }],
    ],
    ['a sibling', askPid(['a', 'x']), [pid(['a', 'y'])], [{ ...inPid, paths: [['a', 'x']] }]],
    [
      'all elements if one is registered',
      askPid(['n', null]),
      [pid(['n', 0])],
      [{ ...inPid, paths: [['n', null]] }],
    ],
    [
      'a member named like an index',
      askPid(['n', '0']),
      [pid(['n', null])],
      [{ ...inPid, paths: [['n', '0']] }],
    ],
    [
      'the same claim in another format',
      askPid(['given_name']),
      [{ format: 'mso_mdoc', types: [vct], claims: [['given_name']] }],
      [inPid],
    ],
    [
      'any of several types',
      askTypes('urn:other', 'urn:another'),
      [pid(['a'])],
      ['urn:other', 'urn:another'].map((type) => ({ ...inPid, type })),
    ],
    [
      'the base type by a national one',
      askTypes(vct),
      [{ format: 'dc+sd-jwt', types: ['urn:eudi:pid:nl:1'] }],
      [inPid],
    ],
    [
      'one national type by another',
      askTypes('urn:eudi:pid:nl:1'),
      [{ format: 'dc+sd-jwt', types: ['urn:eudi:pid:de:1'] }],
      [{ ...inPid, type: 'urn:eudi:pid:nl:1' }],
    ],
    [
      'a national type in another format',
      askTypes('urn:eudi:pid:nl:1'),
      [{ format: 'mso_mdoc', types: [vct] }],
      [{ ...inPid, type: 'urn:eudi:pid:nl:1' }],
    ],
    [
      'a claim of a national type',
      askTypes('urn:eudi:pid:nl:1'),
      [pid(['b'])],
      [{ ...inPid, type: 'urn:eudi:pid:nl:1', paths: [['a']] }],
    ],
    ['another type', askPid(['given_name']), [licence(['given_name'])], [inPid]],
    ['anything if nothing is registered', askLicence([nameSpace, 'portrait']), [], [inLicence]],
    [
      'an element of an mdoc registered without its namespace',
      askLicence([nameSpace, 'portrait']),
      [licence(['portrait'])],
      [{ ...inLicence, paths: [[nameSpace, 'portrait']] }],
    ],
    [
      'a credential of any type',
      { credentials: [{ id: 'any', format: 'dc+sd-jwt', meta: {} }] },
      [pid()],
      [{ credential_id: 'any', format: 'dc+sd-jwt' }],
    ],
    ['a credential type that names none', askPid(['a']), [{ format: 'dc+sd-jwt', types: [] }], [inPid]],
  ])('%s', (_, query, credentials, expected) => {
    expect(findUnregistered(query, { credentials })).toEqual(expected)
  })

  test('an alternative: of several credentials and claim sets, each one counts', () => {
    const query: AnyQuery = {
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: [vct, 'urn:other'] },
          claims: [
            { id: 'a', path: ['a'] },
            { id: 'b', path: ['b'] },
          ],
          claim_sets: [['a'], ['b']],
        },
        ...askLicence([nameSpace, 'portrait']).credentials,
      ],
      credential_sets: [{ options: [['pid'], ['mdl']] }],
    }
    expect(findUnregistered(query, { credentials: [pid(['a'])] })).toEqual([
      { ...inPid, paths: [['b']] },
      inLicence,
    ])
  })

  test.each<[string, Record<string, unknown>]>([
    ['nothing', {}],
    ['wrong types', { id: 1, format: 2, meta: 'x', claims: 'y' }],
    [
      'wrong claims',
      { id: 'x', format: 'dc+sd-jwt', meta: { vct_values: [1, null] }, claims: [null, { path: 'x' }] },
    ],
  ])('a credential with %s, without an error', (_, credential) => {
    expect(findUnregistered({ credentials: [credential] }, { credentials: [pid()] })).toHaveLength(1)
  })
})
