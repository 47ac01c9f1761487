import { expect, test } from 'vitest'
import type { PresentedCredential } from '../presentation.ts'
import type { Certificate } from '../x509/read-certificate.ts'
import { findIssuerScope } from './issuer-scope.ts'

type Subject = Partial<Certificate['subject']>

/** A credential with a validated path, of which only the names matter here. */
function issued(types: readonly string[], signer: Subject, anchor: Subject, anchor_entity?: string) {
  const path = [signer, anchor].map((subject) => ({
    subject: { der: JSON.stringify(subject), ...subject },
  })) as unknown as NonNullable<PresentedCredential['path']> // nothing else of a certificate is read
  return findIssuerScope({
    doctype_or_vct: types[0] ?? '',
    document_types: types,
    path,
    ...(anchor_entity !== undefined && { anchor_entity }),
  })
}

const pid = 'urn:eudi:pid:1'
const licence = 'org.iso.18013.5.1.mDL'
const estonia = issued([pid], { country: 'EE' }, { country: 'EE' })

test('the PIDs of a state are of one issuer, in both formats and whoever lists its authority', () => {
  expect(estonia).toMatch(/^[\w-]{43}$/)
  expect(issued(['eu.europa.ec.eudi.pid.1'], { country: 'ee' }, { country: 'EE' }, 'a list')).toBe(estonia)
  expect(issued(['urn:eudi:pid:ee:1', pid], { country: 'EE', organization: 'O' }, { country: 'EE' })).toBe(
    estonia,
  )
  expect(issued([pid], { country: 'LT' }, { country: 'LT' })).not.toBe(estonia)
})

test('what is only also a PID, or names two countries, is not of the state', () => {
  const signer = { country: 'EE', organization: 'A shop' }
  expect(issued(['urn:shop:card:1', pid], signer, { country: 'EE' })).not.toBe(estonia)
  expect(issued([pid], signer, { country: 'LT' })).not.toBe(estonia)
  expect(issued([pid], signer, {})).not.toBe(estonia)
})

test('other documents are of the entity of their authority, and of its place', () => {
  const card = (anchor: Subject, entity: string) =>
    issued(['urn:card:1'], { organization: 'X' }, anchor, entity)
  expect(card({ common_name: 'Root 2' }, 'one')).toBe(card({ common_name: 'Root 1' }, 'one'))
  expect(card({}, 'two')).not.toBe(card({}, 'one'))
  const [ohio, utah] = ['US-OH', 'US-UT'].map((state) =>
    issued([licence], {}, { country: 'US', state }, 'Department of Motor Vehicles'),
  )
  expect(ohio).not.toBe(utah)
})

test('below an authority without an entity, the organisation of the signer counts, and without one nothing is known', () => {
  const root = { common_name: 'Commercial CA' }
  const ofSigner = (signer: Subject) => issued(['urn:card:1'], signer, root)
  expect(ofSigner({ organization: 'A', common_name: 'Signer 2' })).toBe(ofSigner({ organization: 'A' }))
  expect(ofSigner({ organization: 'B' })).not.toBe(ofSigner({ organization: 'A' }))
  expect(ofSigner({ organization: 'A', organization_identifier: 'NTREE-1' })).toBe(
    ofSigner({ organization: 'B', organization_identifier: 'NTREE-1' }),
  )
  expect(ofSigner({ common_name: 'Signer' })).toBeUndefined()
  // ISO/IEC 18013-5 annex B: an authority of driving licences certifies its own signers only.
  expect(issued([licence], { country: 'EE' }, { country: 'EE' })).toBeDefined()
  expect(findIssuerScope({ doctype_or_vct: pid })).toBeUndefined()
})
