import {
  createAuthority,
  createListOperator,
  validityAround,
  vicalPurpose,
  writeVical,
  type VicalContent,
  type VicalFault,
} from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { fixedNow } from '../../test/certificates.ts'
import { readVical, type VicalRequest } from './read-vical.ts'

const now = new Date(fixedNow * 1000)
const day = 86_400
const at = (seconds: number) => new Date((fixedNow + seconds) * 1000)
const mdl = 'org.iso.18013.5.1.mDL'
const photoId = 'org.iso.23220.photoid.1'

const operator = createListOperator({ name: 'VICAL Provider', now, purpose: vicalPurpose })
const [rootA, rootB] = ['A', 'B'].map((name) => {
  const authority = createAuthority({
    ...validityAround(now, 30, 365),
    name: { common_name: name },
    path_length: 0,
  })
  return authority.certificate
})
if (rootA === undefined || rootB === undefined) throw new Error('two roots are made')

const content: VicalContent = {
  date: at(-day),
  next_update: at(day),
  issue_id: 7,
  entries: [
    { certificate: rootA, document_types: [mdl, photoId], issuing_authority: 'Ministry' },
    { certificate: rootB, document_types: [mdl] },
  ],
}
const request: VicalRequest = {
  signers: [{ certificate: operator.authority.certificate }],
  last_sequence_number: 7,
  max_age_seconds: 30 * day,
  now: fixedNow,
}

type Options = { content?: Partial<VicalContent>; fault?: VicalFault; by?: typeof operator }
const read = (options: Options = {}, change: Partial<VicalRequest> = {}) =>
  readVical(writeVical(options.by ?? operator, { ...content, ...options.content }, options.fault), {
    ...request,
    ...change,
  })

describe('a VICAL (ISO/IEC 18013-5 §C.1)', () => {
  test('returns its authorities with their document types', () => {
    expect(read()).toEqual({
      value: {
        anchors: [
          {
            certificate: rootA,
            service_type: 'vical',
            role: 'issuing',
            document_types: [mdl, photoId],
            entity: 'Ministry',
          },
          { certificate: rootB, service_type: 'vical', role: 'issuing', document_types: [mdl] },
        ],
        sequence_number: 7,
        issued_at: fixedNow - day,
        next_update: fixedNow + day,
      },
    })
  })

  test('is trusted only for the document types that the settings name', () => {
    const types = (document_types: string[]) => {
      const list = read({}, { document_types })
      return 'value' in list ? list.value.anchors.map((anchor) => anchor.document_types) : list
    }
    expect(types([photoId, 'another'])).toEqual([[photoId]])
    expect(types(['another'])).toEqual([])
  })

  test('is valid for the configured time if it does not say how long', () => {
    const without = { ...content }
    delete without.next_update
    const bytes = writeVical(operator, without)
    const until = (seconds: number) => readVical(bytes, { ...request, now: fixedNow - day + seconds })
    expect(until(30 * day - 1)).toMatchObject({ value: { next_update: fixedNow + 29 * day } })
    expect(until(30 * day)).toEqual({ error: 'the trust list has expired' })
  })

  test('may have the number of the last copy, a higher one, or none if the last one had none', () => {
    expect(read({ content: { issue_id: 8 } })).toMatchObject({ value: { sequence_number: 8 } })
    const unnumbered = { ...content }
    delete unnumbered.issue_id
    const bytes = writeVical(operator, unnumbered)
    expect(readVical(bytes, { ...request, last_sequence_number: 0 })).toMatchObject({
      value: { sequence_number: 0 },
    })
    expect(readVical(bytes, request)).toEqual({ error: expect.stringContaining('older') })
  })

  test('skips an entry that cannot be read, and keeps the others', () => {
    const list = read({ fault: 'unreadable_entries' })
    expect(list).toMatchObject({ value: { anchors: [{ certificate: rootA }, { certificate: rootB }] } })
  })

  test('may be signed by a pinned certificate without the purpose', () => {
    const by = createListOperator({ name: 'Pinned', now })
    const [certificate = new Uint8Array()] = by.signer.chain
    expect(read({ by }, { signers: [{ certificate }] })).toMatchObject({ value: {} })
  })
})

describe('a VICAL is refused', () => {
  const other = createListOperator({ name: 'Other', now, purpose: vicalPurpose })
  const withoutPurpose = createListOperator({ name: 'No purpose', now })
  test.each<[string, Options, Partial<VicalRequest>, string]>([
    ['from a signer that is not pinned', { by: other }, {}, 'not trusted'],
    [
      'from a signer of a pinned authority without the purpose',
      { by: withoutPurpose },
      { signers: [{ certificate: withoutPurpose.authority.certificate }] },
      'purpose of signing VICALs',
    ],
    ['with the signature of another key', { fault: 'other_key' }, {}, 'signature'],
    ['if an entry was altered', { fault: 'altered_entry' }, {}, 'signature'],
    ['without a certificate', { fault: 'no_certificate' }, {}, 'not trusted'],
    ['without its payload', { fault: 'detached_payload' }, {}, 'payload'],
    ['of another version', { fault: 'other_version' }, {}, 'version'],
    ['that is older than the last', { content: { issue_id: 6 } }, {}, 'older'],
    ['that has expired', {}, { now: fixedNow + day }, 'expired'],
    ['issued in the future', { content: { date: at(301) } }, {}, 'future'],
  ])('%s', (_what, options, change, why) => {
    expect(read(options, change)).toEqual({ error: expect.stringContaining(why) })
  })

  test('if it is anything else', () => {
    const valid = writeVical(operator, content)
    const others = [Buffer.alloc(0), Buffer.from('{}'), valid.subarray(1), valid.subarray(0, -1)]
    for (const bytes of others) expect(readVical(bytes, request)).toEqual({ error: expect.any(String) })
  })
})
