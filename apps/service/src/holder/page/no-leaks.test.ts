import { findFault } from '@vidimus/sandbox'
import { checks, failures } from '@vidimus/protocol'
import { languages } from '@vidimus/holder-texts'
import { afterAll, expect, test } from 'vitest'
import { setClockOffset } from '../../../test/database/clock.ts'
import { respondUntilAccepted } from '../../../test/respond-until-accepted.ts'
import { startService } from '../../../test/service.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import type { WalletOptions } from '../../../test/wallet.ts'
import { setHolderPage } from '../../accounts/tenants/holder-page.ts'

const service = await startService()
const { ctx, anonymous } = service
const merchant = await service.tenant()
const by = { kind: 'operator', tenant_id: merchant.tenant_id } as const
await setHolderPage(ctx, { by, page_origins: ['https://other-origin.example'] })
afterAll(() => service[Symbol.asyncDispose]())

const metadata = { internal_order: 'A-1042-confidential' }

type CreatedVerification = { id: string; wallet_uri: string }

async function create(template: string, more: Record<string, unknown> = {}): Promise<CreatedVerification> {
  const { status, body } = await merchant.post('/v1/verifications', {
    template,
    metadata,
    purpose: 'A check',
    webhook_url: 'https://8.8.8.8/webhook-path',
    redirect_url: 'https://shop.example/back',
    ...more,
  })
  expect(status).toBe(201)
  return body
}

async function respond({ wallet_uri }: CreatedVerification, options: WalletOptions): Promise<void> {
  await respondUntilAccepted(service, wallet_uri, options)
}

/** Every byte that the verification's page can receive now: page, verification and events. */
async function collectBytes({ id }: CreatedVerification): Promise<Record<string, string>> {
  const pages = await Promise.all(
    [`/verify/${id}`, `/verify/${id}?lang=de`, `/verify/${id}/session`, `/verify/${id}/events`].map(
      async (path) => [path.replace(id, '{id}'), await anonymous.get(path)] as const,
    ),
  )
  return Object.fromEntries(
    pages.map(([path, { headers, text }]) => [path, `${JSON.stringify([...headers])}\n${text}`]),
  )
}

/** The stream from the beginning to its end, while `act` ends the verification. */
async function collectStream({ id }: CreatedVerification, act: () => Promise<void>): Promise<string> {
  const stream = anonymous.get(`/verify/${id}/events`)
  await act()
  return (await stream).text
}

/** What the merchant knows about this verification and the holder must not be shown. */
async function listSecrets({ id }: CreatedVerification): Promise<string[]> {
  const { body } = await merchant.get(`/v1/verifications/${id}`)
  const { claims = {}, credentials = [], error, template } = body
  return [
    ...listTexts([claims, credentials]).filter((text) => text.length >= 4),
    ...Object.entries(metadata).flat(),
    ...(error === undefined ? [] : [error.code, error.message]),
    ...Object.keys(failures),
    ...Object.keys(checks),
    merchant.tenant_id,
    merchant.key_id,
    'webhook-path',
    'other-origin.example',
    template,
  ]
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

function findLeaks(bytes: Record<string, string>, secrets: string[]): string[] {
  return Object.entries(bytes).flatMap(([path, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${path}: ${secret}`),
  )
}

const cases: [persona: string, template: string, phase: string][] = [
  ['adult', 'identity_basic', 'completed'],
  ['adult', 'age_over_18', 'completed'],
  ['minor', 'age_over_18', 'not_accepted'],
  ['revoked', 'identity_basic', 'not_accepted'],
  ['expired', 'identity_basic', 'not_accepted'],
  ['untrusted_issuer', 'identity_basic', 'not_accepted'],
  ['wrong_holder_key', 'identity_basic', 'try_again'],
  ['declines', 'identity_basic', 'declined'],
]

test.each(cases)(
  '[PAGE-4] nothing of the result reaches the browser when %s responds to %s',
  async (persona, template, phase) => {
    const verification = await create(template)
    const before = await anonymous.get(`/verify/${verification.id}`)
    const stream = await collectStream(verification, () => respond(verification, { persona }))
    const bytes = { ...(await collectBytes(verification)), stream, before: before.text }
    const secrets = await listSecrets(verification)

    expect(stream).toContain(`{"phase":"${phase}"}`)
    expect(secrets.length).toBeGreaterThan(50)
    expect(findLeaks(bytes, secrets)).toEqual([])
  },
)

test('[PAGE-4] an expired verification reveals no more', async () => {
  await using late = await startService()
  const shop = await late.tenant()
  const { body } = await shop.post('/v1/verifications', { template: 'age_over_18', metadata })
  await setClockOffset(late.ctx.db, '10 minutes')
  for (const path of ['', '/session', '/events']) {
    const { text } = await late.anonymous.get(`/verify/${body.id}${path}`)
    expect(findLeaks({ path: text }, [...Object.values(metadata), shop.tenant_id, 'age_over_18'])).toEqual([])
  }
})

/** Whoever may not be told that the holder is too young is told what a forged document would cause. */
const forged = { alterations: findFault('issuer_signature')?.alterations } as WalletOptions // it is in the list

test('[PAGE-4] failures without a reason for the holder cannot be told apart by any byte', async () => {
  const seen: unknown[] = []
  for (const options of [{ persona: 'minor' }, forged, { persona: 'minor' }]) {
    const verification = await create('age_over_18')
    await respond(verification, options)
    await waitUntil(
      async () => (await anonymous.get(`/verify/${verification.id}/session`)).body.phase !== 'opened',
    )
    const bytes = await collectBytes(verification)
    seen.push(
      Object.entries(bytes).map(([path, text]) => [
        path,
        text
          .replaceAll(verification.id, 'ID')
          .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
          .replaceAll(/\["(?:date|x-request-id|content-length)","[^"]*"\]/g, ''),
      ]),
    )
  }
  for (const each of seen) expect(each).toEqual(seen[0])
})

test('[PAGE-4] the scan finds a claim that is planted', async () => {
  const known = await create('identity_basic')
  await respond(known, { persona: 'adult' })
  const { body } = await merchant.get(`/v1/verifications/${known.id}`)
  const [claim = ''] = listTexts(body.claims)
  const verification = await create('identity_basic', { purpose: `Checking ${claim}` })
  await respond(verification, { persona: 'adult' })
  const leaks = findLeaks(await collectBytes(verification), await listSecrets(verification))
  expect([...new Set(leaks)]).toEqual([
    `/verify/{id}: ${claim}`,
    `/verify/{id}?lang=de: ${claim}`,
    `/verify/{id}/session: ${claim}`,
  ])
})

test('[PAGE-4] the texts of the component are the same for everyone', async () => {
  const read = () =>
    Promise.all(
      Object.keys(languages).map(
        async (code) => (await anonymous.get(`/verify/languages/${code}.json`)).text,
      ),
    )
  const before = await read()
  await respond(await create('identity_basic'), { persona: 'adult' })
  expect(await read()).toEqual(before)
})
