import { expect } from 'vitest'
import type { BrowserUser } from '../fixture/browser.ts'
import type { DashboardFixture } from '../fixture/dashboard-fixture.ts'
import { moveFocusTo, readFocus } from './focus.ts'
import { expectToast, press, typeInto } from './press.ts'
import { openPage, pages } from '../fixture/pages.ts'

/** What a member does with webhooks, by keyboard only. */
export function webhookJourneys(fixture: DashboardFixture) {
  return {
    async 'send a test event'({ page }: BrowserUser) {
      await openPage(page, { path: '/webhooks', title: 'Webhooks' })
      await press(page, 'Send test event')
      await typeInto(page, 'URL', fixture.webhookReceiver.url)
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').getByText('Delivered').waitFor()
      expect(fixture.webhookReceiver.bodies.at(-1)).toContain('webhook.test')
    },
    async 'rotate the signing secret'({ page }: BrowserUser) {
      await openPage(page, { path: '/webhooks?tab=secret', title: 'Webhooks' })
      await press(page, 'Rotate…')
      await press(page, 'Rotate secret')
      await page.getByRole('dialog', { name: 'Copy the new secret now' }).waitFor()
      await press(page, 'Copy secret')
      await press(page, 'I have copied it')
      await page.getByText('Rotation in progress').waitFor()
      const copied = await page.evaluate('navigator.clipboard.readText()')
      expect(copied).toMatch(/^whsec_/)
      expect(copied).not.toBe(fixture.merchant.webhook_secret)
      await expect.poll(async () => (await readFocus(page))?.name).toBe('Rotate…')
    },
    async 'add, edit, disable and delete an endpoint'({ page }: BrowserUser) {
      await openPage(page, { path: '/webhooks?tab=endpoints', title: 'Webhooks' })
      await press(page, 'Add endpoint')
      await typeInto(page, 'URL', fixture.webhookReceiver.url)
      await typeInto(page, 'Description', 'Orders')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Copy the secret now' }).waitFor()
      await press(page, 'Copy secret')
      await press(page, 'I have copied it')
      expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^whsec_/)
      await press(page, 'Edit Orders')
      await moveFocusTo(page, 'verification.expired')
      await page.keyboard.press('Space')
      await press(page, 'Save endpoint')
      await expectToast(page, 'Endpoint saved.')
      await press(page, 'New secret for Orders')
      await press(page, 'Create secret')
      await press(page, 'I have copied it')
      await press(page, 'Disable Orders')
      await expectToast(page, 'Endpoint disabled.')
      await press(page, 'Enable Orders')
      await expectToast(page, 'Endpoint enabled.')
      await press(page, 'Delete Orders')
      await press(page, 'Delete endpoint')
      await expectToast(page, 'Endpoint deleted.')
    },
    async 'resend what failed'({ page }: BrowserUser) {
      await openPage(page, { path: '/webhooks', title: 'Webhooks' })
      await press(page, 'Resend failed…')
      await press(page, 'Resend')
      await expectToast(page, 'Failed events are being resent.')
    },
    async 'set and remove the webhook for alerts'({ page }: BrowserUser) {
      await openPage(page, pages['settings-alerts'])
      await typeInto(page, 'URL', fixture.webhookReceiver.url)
      await press(page, 'Save webhook')
      await page.getByText(/^whsec_/).waitFor()
      await press(page, 'I have copied it')
      await press(page, 'New secret…')
      await press(page, 'Create secret')
      await press(page, 'I have copied it')
      await press(page, 'Remove…')
      await press(page, 'Remove webhook')
      await expectToast(page, 'Webhook removed.')
    },
  }
}
