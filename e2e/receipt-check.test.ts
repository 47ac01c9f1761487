import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getAuditKey } from '../apps/service/src/audit/log/open-log.ts'
import { waitUntil } from '../apps/service/test/wait-until.ts'
import { findViolations } from './fixture/axe.ts'
import { openBrowser } from './fixture/browser.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

let fixture: DashboardFixture
let folder = ''

beforeAll(async () => {
  fixture = await startDashboard()
  folder = await mkdtemp(join(tmpdir(), 'vidimus-receipts-'))
})
afterAll(async () => {
  await closeDashboard(fixture)
  await rm(folder, { recursive: true })
})

const save = async (name: string, text: string) => {
  await writeFile(join(folder, name), text)
  return join(folder, name)
}

/** A receipt as the API returns it, once it is signed. */
async function fetchReceipt(id: string): Promise<string> {
  let text = ''
  await waitUntil(async () => {
    const response = await fixture.merchant.get(`/v1/verifications/${id}/receipt`)
    text = response.text
    return response.status === 200
  })
  return text
}

async function chooseFiles(page: Page, ...files: string[]): Promise<string[]> {
  await page.locator('#files').setInputFiles(files)
  await page.locator('section').nth(0).waitFor()
  return page.locator('section h2').allTextContents()
}

test('[RECEIPT-3] an inspector checks a valid, a changed and an erased receipt in the browser, online and from a saved copy, and nothing is sent', async () => {
  const [kept, erased] = [
    await fixture.createCompletedVerification('adult', { template: 'identity_basic' }),
    await fixture.createCompletedVerification('adult', { template: 'age_over_18' }),
  ]
  const [valid, copy] = [await fetchReceipt(kept), await fetchReceipt(erased)]
  await fixture.merchant.delete(`/v1/verifications/${erased}`)
  const key = await save('audit.pem', (await getAuditKey(fixture.service.ctx)).public_key)
  const changed = JSON.parse(valid)
  changed.body = changed.body.replace('"completed"', '"failed"')
  const receipts = [
    await save('valid.json', valid),
    await save('changed.json', JSON.stringify(changed)),
    await save('erased.json', copy),
  ]
  await using inspector = await openBrowser({ address: fixture.address })
  const { page } = inspector
  const requests: string[] = []
  await page.goto('/docs/receipt-check')
  page.on('request', (request) => requests.push(request.url()))

  await page.locator('#files').setInputFiles(receipts)
  await page.getByText('Add the public key of the audit log first.').waitFor()
  const expected = ['Valid: valid.json', 'Not valid: changed.json', 'Valid: erased.json']
  expect(await chooseFiles(page, key, ...receipts)).toEqual(expected)
  const text = await page.locator('main').innerText()
  expect(text).toContain(`verification ${kept} was completed`)
  expect(text).toContain('template identity_basic')
  expect(text).toContain('it may have been erased since')
  expect(text).toContain('2 of 3 receipts are valid.')
  expect(await findViolations(page)).toEqual([])
  await takeScreenshot(page, 'receipt-check')
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('#files').isVisible()).toBe(false)
  expect(await page.locator('section').nth(2).isVisible()).toBe(true)
  await page.emulateMedia({ media: 'screen' })
  await page.locator('#language').selectOption('de')
  await page.getByText('2 von 3 Nachweisen sind gültig.').waitFor()

  // The policy forbids what the page does not do either.
  const blocked = page.evaluate(
    async (url) =>
      fetch(url).then(
        () => 'sent',
        () => 'blocked',
      ),
    fixture.address,
  )
  expect(await blocked).toBe('blocked')
  expect(requests).toEqual([])

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Diese Seite speichern' }).click(),
  ])
  const saved = join(folder, download.suggestedFilename())
  await download.saveAs(saved)
  const offline = await page.context().newPage()
  await offline.context().setOffline(true)
  await offline.goto(pathToFileURL(saved).href)
  expect(await chooseFiles(offline, key, ...receipts)).toEqual(expected)
})
