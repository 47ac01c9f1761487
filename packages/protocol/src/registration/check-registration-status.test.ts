import { createRegistrar, issueRegistration, serveRegistrationStatus } from '@vidimus/sandbox'
import { describe, expect, test } from 'vitest'
import type { Anchor, StatusListToken } from '../presentation.ts'
import { checkRegistrationStatus } from './check-registration-status.ts'
import { readRegistration } from './read-registration.ts'

const clock = new Date('2026-06-01T12:00:00Z')
const now = clock.getTime() / 1000
const registrar = createRegistrar({ now: clock })
const other = createRegistrar({ now: clock })
const anchors: Anchor[] = [
  { certificate: registrar.root.certificate, role: 'registration', entity: 'registrar' },
]

function check(
  token: StatusListToken | undefined,
  { fault, trusted = anchors }: { fault?: 'revoked' | 'suspended' | 'no_status'; trusted?: Anchor[] } = {},
) {
  const draft = { name: 'Shop', legal_name: 'Shop Ltd', identifier: 'NTRUT-1', credentials: [] }
  const issued = issueRegistration(registrar, draft, { now: clock, ...(fault && { fault }) })
  const registration = readRegistration(issued, { anchors: trusted, now })
  if ('error' in registration) throw new Error(registration.error)
  return checkRegistrationStatus(registration.value, token, { anchors: trusted, now })
}

const uri = `${registrar.status_uri}/registrations.jwt`
const serve = (options: Partial<Parameters<typeof serveRegistrationStatus>[2]> = {}): StatusListToken => ({
  token: serveRegistrationStatus(registrar, uri, { now: clock, ...options }) ?? '',
  media: 'jwt',
})

describe('the status of a registration certificate', () => {
  test('is valid', () => {
    expect(check(serve())).toEqual({ check: 'status', status: 'pass' })
  })

  test('is valid on a list signed with the seal of the certificate itself', () => {
    expect(check(serve({ signer: registrar.seal }))).toEqual({ check: 'status', status: 'pass' })
  })

  test.each(['revoked', 'suspended'] as const)('is %s', (fault) => {
    const finding = { check: 'status', status: 'fail', detail: `the registrar has ${fault} it` }
    expect(check(serve(), { fault })).toEqual(finding)
  })

  test('is unknown if the list could not be fetched, or none is named', () => {
    expect(check(undefined)).toMatchObject({ status: 'warning', detail: expect.stringContaining('fetched') })
    expect(check(serve(), { fault: 'no_status' })).toMatchObject({ status: 'warning' })
  })

  test.each<[string, StatusListToken, string]>([
    ['has expired', serve({ expires_in: -1 }), 'expired'],
    ['is of the future', serve({ now: new Date(clock.getTime() + 3_600_000) }), 'future'],
    ['was signed under another authority', serve({ signer: other.status_signer }), 'authority'],
    [
      'has another signature',
      serve({ signer: { ...registrar.status_signer, key: other.seal.key } }),
      'signature',
    ],
    ['is no list', { token: 'a.b.c', media: 'jwt' }, ''],
  ])('is unknown, also of a revoked one, if the list %s', (_, list, detail) => {
    expect(check(list, { fault: 'revoked' })).toMatchObject({
      status: 'warning',
      detail: expect.stringContaining(detail),
    })
  })

  test('is unknown if the list was issued for another URI', () => {
    const elsewhere = createRegistrar({ now: clock, status_uri: 'https://elsewhere.invalid' })
    const token = serveRegistrationStatus(elsewhere, 'https://elsewhere.invalid/registrations.jwt', {
      now: clock,
    })
    expect(check({ token: token ?? '', media: 'jwt' })).toMatchObject({
      detail: expect.stringContaining('URI'),
    })
  })

  test('may be signed under an anchor for revocation of the same entity, and of no other', () => {
    const list = serve({ signer: other.status_signer })
    const revocation = (entity?: string): Anchor => ({
      certificate: other.root.certificate,
      role: 'revocation',
      ...(entity !== undefined && { entity }),
    })
    expect(check(list, { fault: 'revoked', trusted: [...anchors, revocation('registrar')] })).toMatchObject({
      status: 'fail',
    })
    expect(check(list, { fault: 'revoked', trusted: [...anchors, revocation('another')] })).toMatchObject({
      status: 'warning',
    })
    expect(check(list, { fault: 'revoked', trusted: [...anchors, revocation()] })).toMatchObject({
      status: 'warning',
    })
  })

  test('does not depend on the signer of the list if no registrar is trusted', () => {
    expect(check(serve({ signer: other.status_signer }), { fault: 'revoked', trusted: [] })).toMatchObject({
      status: 'fail',
    })
  })
})
