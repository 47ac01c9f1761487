import { X509Certificate } from 'node:crypto'
import { exportAnchors } from '@vidimus/sandbox'
import { expect, test } from 'vitest'
import { newAuthority } from '../../../test/trust/authorities.ts'
import { setClockOffset } from '../../../test/database/clock.ts'
import { openTestStores } from '../../../test/database/stores.ts'
import { sql } from '../../engine/db/sql.ts'
import { isSandboxCertificate, isSandboxUri, openSandboxIssuer } from './open-sandbox.ts'

test('[TRUST-2] processes that start together share one sandbox issuer', async () => {
  await using stores = await openTestStores()
  const processes = await Promise.all(Array.from({ length: 6 }, () => stores.openAnother()))
  const issuers = await Promise.all([...processes, ...processes].map(openSandboxIssuer))

  const [first, ...others] = issuers.map((issuer) => JSON.stringify(exportAnchors(issuer)))
  expect(others.every((other) => other === first)).toBe(true)
})

test('the keys of the sandbox issuer are sealed in the database', async () => {
  await using stores = await openTestStores()
  await openSandboxIssuer(stores)
  const [row] = await stores.db.query<{ sealed: Buffer }>(sql`select sealed from sandbox_issuer`)

  expect(row?.sealed.length).toBeGreaterThan(1000)
  expect(row?.sealed.toString('latin1')).not.toMatch(/PRIVATE KEY|Sandbox/)
})

test('its signing certificates are valid when it is opened', async () => {
  await using stores = await openTestStores()
  await openSandboxIssuer(stores)
  await setClockOffset(stores.db, '3 years')
  const { signers } = await openSandboxIssuer(stores)

  const [leaf] = signers.pid.chain
  expect(new X509Certificate(leaf ?? '').validToDate.getTime()).toBeGreaterThan(
    Date.now() + 3 * 365 * 86_400_000,
  )
})

test('[TRUST-2] every sandbox certificate is recognised, and no other', async () => {
  await using stores = await openTestStores()
  const { hierarchies, signers } = await openSandboxIssuer(stores)
  const authorities = Object.values(hierarchies).flatMap(({ root, issuing }) => [
    root.certificate,
    issuing.certificate,
  ])
  const leaves = Object.values(signers).flatMap(({ chain }) => chain)

  expect([...authorities, ...leaves].filter((certificate) => !isSandboxCertificate(certificate))).toEqual([])
  expect(isSandboxCertificate(newAuthority('Vidimus Sandbox').certificate)).toBe(false)
})

test('[TRUST-4] the URI of a sandbox list is recognised', () => {
  expect(isSandboxUri('https://sandbox.invalid/status/persons/current.jwt')).toBe(true)
  expect(isSandboxUri('https://SANDBOX.invalid:443/')).toBe(true)
  for (const other of [
    'https://sandbox.invalid.example/',
    'https://example/?sandbox.invalid',
    'sandbox.invalid',
    '',
  ]) {
    expect(isSandboxUri(other)).toBe(false)
  }
})
