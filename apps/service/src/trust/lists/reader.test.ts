import { createListOperator, trustedListPurpose, trustedListType, writeTrustedList } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import { newAuthority } from '../../../test/trust/authorities.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from '../../../test/trust/trust-list.ts'
import { maxInline_bytes, openListReader, readerBounds } from './read/open-reader.ts'
import { readXmlList } from './xml/read-xml-list.ts'

const now = Date.now() / 1000
const qeaa = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'
const operator = createListOperator({ name: 'Operator', now: new Date(), purpose: trustedListPurpose })
const root = newAuthority('Root').certificate

/** A list with one certificate and many services, so that it is long and quickly made. */
function writeLongList(services: number): Buffer {
  const list = {
    sequence_number: 1,
    issued_at: new Date((now - 60) * 1000),
    next_update: new Date((now + 3600) * 1000),
    providers: Array.from({ length: services }, (_, index) => ({
      name: `Provider ${index}`,
      services: [{ type: index === 0 ? qeaa : 'another', certificates: [root] }],
    })),
  }
  return Buffer.from(writeTrustedList(operator, list))
}

const reading = { format: 'xml', type: trustedListType, services: [{ service_type: qeaa }] } as const
const signers = [{ certificate: operator.authority.certificate }]

describe('a list is read in a thread', () => {
  const bytes = writeLongList(500)

  test('with the same result', async () => {
    await using reader = openListReader()
    const read = await reader.read({ bytes, reading, signers, now })
    expect(read).toMatchObject({ value: { anchors: [{ entity: 'Provider 0' }], sequence_number: 1 } })
  })

  test('if it is long, whatever its format; what is wrong with it is a result too', async () => {
    const lote = newListOperator('List Operator')
    const services = { [pidIssuance]: Array.from({ length: 300 }, () => root) }
    const token = Buffer.from(
      writeTrustList(lote, { sequence_number: 1, issued_at: now, next_update: now + 60, services }),
    )
    expect(token.length).toBeGreaterThan(maxInline_bytes)
    await using reader = openListReader()
    const copy = {
      bytes: token,
      reading: { format: 'lote', type: listType, services: [{ service_type: pidIssuance }] } as const,
      now,
    }
    const right = await reader.read({ ...copy, signers: [{ certificate: lote.authority.certificate }] })
    expect('value' in right && right.value.anchors).toHaveLength(300)
    expect(await reader.read({ ...copy, signers })).toEqual({ error: expect.stringContaining('not trusted') })
  })

  test('and refused if it takes too long or too much memory', async () => {
    await using impatient = openListReader({ ...readerBounds, cpu_ms: 1 })
    expect(await impatient.read({ bytes, reading, signers, now })).toEqual({
      error: 'the trust list cannot be read: a task used too much CPU time',
    })
    await using small = openListReader({ ...readerBounds, maxHeap_mb: 24 })
    expect(await small.read({ bytes: writeLongList(4000), reading, signers, now })).toEqual({
      error: 'the trust list cannot be read: a task used too much memory',
    })
  })
})

test('a list that is nested deeper than the stack, or too large, is refused', () => {
  const request = { type: trustedListType, services: [{ service_type: qeaa }], signers, now }
  const deep = Buffer.from('<a>'.repeat(200_000) + '</a>'.repeat(200_000))
  expect(readXmlList(deep, request)).toEqual({ error: expect.any(String) })
  expect(readXmlList(Buffer.alloc(16 * 1024 * 1024 + 1, 0x20), request)).toEqual({
    error: 'the trust list is too large',
  })
})
