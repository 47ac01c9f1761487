import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { openPairedTill, registerTill } from './fixture/till.ts'

let fixture: DashboardFixture

beforeAll(async () => {
  fixture = await startDashboard()
})
afterAll(() => closeDashboard(fixture))

test('a pairing link pairs, and the code leaves address and history before anything is sent', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  const addresses: string[] = []
  const codes: string[] = []
  page.on('request', async (request) => {
    if (!request.url().endsWith('/v1/devices/enroll')) return
    codes.push(request.postDataJSON().pairing_code)
    addresses.push(page.url())
  })
  const { pairing_code } = await registerTill(fixture)
  await page.goto('/till')
  await page.getByRole('heading', { name: 'Pair this till' }).waitFor()
  const before = await page.evaluate('history.length')
  await page.goto(`/till#${pairing_code}`)
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()

  expect(codes).toEqual([pairing_code])
  expect(addresses).toEqual([`${fixture.address}/till`])
  expect(page.url()).toBe(`${fixture.address}/till`)
  await page.goBack()
  expect(page.url()).not.toContain('VD-')
  expect(before).toBeGreaterThan(0)
  expect([user.foreignRequests, user.cspViolations]).toEqual([[], []])
})

test('a typed code pairs in any case and without dashes; a refused one says what to do', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = user
  await page.goto('/till')
  await page.getByLabel('Pairing code').fill('VD-AAAA-AAAA')
  await page.getByRole('button', { name: 'Pair' }).click()
  await page.getByText('This code is not known or has expired.').waitFor()
  // It stays, selected: one wrong character is corrected sooner than eight are typed.
  expect(await page.getByLabel('Pairing code').inputValue()).toBe('VD-AAAA-AAAA')
  expect(await page.evaluate('String(getSelection())')).toBe('VD-AAAA-AAAA')

  const { pairing_code } = await registerTill(fixture)
  await page.getByLabel('Pairing code').fill(pairing_code.toLowerCase().replaceAll('-', ' '))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()

  await page.reload()
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()
})

test('a pairing link on a paired till changes nothing until someone agrees', async () => {
  await using user = await openBrowser({ address: fixture.address })
  const { page } = await openPairedTill(fixture, user)
  const { pairing_code } = await registerTill(fixture, ['age_over_16'], 'Door')
  await page.goto(`/till#${pairing_code}`)
  await page.getByText('already paired as “Bar, left till”').waitFor()
  await page.getByRole('button', { name: 'Keep the current pairing' }).click()
  await page.getByRole('button', { name: '18 or over', exact: true }).waitFor()

  await page.goto(`/till#${pairing_code}`)
  await page.getByRole('button', { name: 'Pair again' }).click()
  await page.getByRole('button', { name: '16 or over' }).waitFor()
})
