import { afterAll, expect, test } from 'vitest'
import { raiseAlert } from '../apps/service/src/audit/alerts/raise.ts'
import { startMailServer } from '../apps/service/test/network/mail-server.ts'
import { findViolations } from './fixture/axe.ts'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const mails = await startMailServer({
  refuse: (address) => (address.startsWith('nobody') ? 550 : undefined),
})
const fixture = await startDashboard({
  SMTP_URL: mails.url,
  MAIL_FROM: 'Vidimus <vidimus@vidimus.example>',
})
const user = await fixture.signIn({ email: 'marta@example.com' })
afterAll(async () => {
  await closeDashboard(fixture)
  await mails[Symbol.asyncDispose]()
})

const raiseEndpointAlert = (description: string) =>
  raiseAlert(fixture.service.ctx.db, {
    tenant_id: fixture.merchant.tenant_id,
    environment: 'test',
    kind: 'endpoint_failing',
    subject: description,
    details: { host: 'shop.example', description },
  })
const mailsTo = (address: string, subject: RegExp) =>
  mails.received.filter(({ to, headers }) => to[0] === address && subject.test(headers['subject'] ?? ''))

test('a member chooses alerts and language on the account page, and gets the mail in it', async () => {
  const { page } = user
  await page.goto('/dashboard/test/account')
  const card = page.getByRole('region', { name: 'Alerts by e-mail' })
  await card.getByLabel('A webhook endpoint is failing').waitFor()
  expect(await card.getByRole('checkbox', { checked: true }).count()).toBe(11)
  await card.getByLabel('Language of e-mails').selectOption('de')
  await card.getByLabel('A trust list cannot be refreshed').uncheck()
  await card.getByRole('button', { name: 'Save alerts' }).click()
  await page.getByText('Alerts saved.').first().waitFor()
  await page.reload()
  await card.getByLabel('A trust list cannot be refreshed').waitFor()
  expect(await card.getByLabel('A trust list cannot be refreshed').isChecked()).toBe(false)
  expect(await card.getByLabel('Language of e-mails').inputValue()).toBe('de')
  await expect.poll(() => findViolations(page)).toEqual([])
  await takeScreenshot(page, 'account-alerts')

  await raiseEndpointAlert('Web shop')
  await expect.poll(() => mailsTo('marta@example.com', /Webhooks/).length, { timeout: 20_000 }).toBe(1)
  expect(mailsTo('marta@example.com', /Webhooks/)[0]?.headers['subject']).toBe(
    'Webhooks an Web shop schlagen fehl (Testumgebung) – A merchant',
  )
})

test('an open alert is on the overview and in the list of alerts', async () => {
  const { page } = user
  await page.goto('/dashboard/test')
  await page
    .getByRole('region', { name: /^Needs attention/ })
    .getByText('Webhooks to Web shop are failing.')
    .waitFor()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts' }).click()
  await page
    .getByRole('table', { name: 'Open alerts' })
    .getByText('Webhooks to Web shop are failing.')
    .waitFor()
  await checkLooks('alerts')
})

test('the webhook for alerts is set in the settings, and its secret is shown once', async () => {
  const { page } = user
  await page.goto('/dashboard/test/settings/alerts')
  const card = page.getByRole('region', { name: 'Webhook for alerts' })
  await card.getByRole('button', { name: 'Save webhook' }).click()
  await card.getByText('Enter a URL').waitFor()
  await card.getByLabel('URL').fill(fixture.webhookReceiver.url)
  await card.getByRole('button', { name: 'Save webhook' }).click()
  await page.getByText(/^whsec_/).waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await raiseEndpointAlert('Till')
  const raised = () =>
    fixture.webhookReceiver.bodies.filter((body) => /alert\.raised.*endpoint_failing/.test(body)).length
  await expect.poll(raised, { timeout: 20_000 }).toBe(1)
  await checkLooks('settings-webhook')
})

test('[ALERT-14] a change that gives access is in the list of alerts and leads to its audit entry', async () => {
  const { page } = user
  await page.goto('/dashboard/live/alerts')
  const row = page.getByRole('row', { name: /Webhook for alerts changed \(.*\), by Marta Keller/ })
  await row.waitFor()
  await checkLooks('alerts-access')
  await row.getByRole('link', { name: 'Audit entry' }).click()
  await page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor()
  const rows = page.getByRole('table').getByRole('row')
  await expect.poll(() => rows.count()).toBe(2)
  expect(await page.getByLabel('Action').inputValue()).toBe('tenant.alert_webhook_changed')
})

test('an invitation is sent by e-mail, and the team page shows one that could not be delivered', async () => {
  const { page } = user
  await page.goto('/dashboard/test/team')
  const invite = async (email: string) => {
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Create invitation link' }).click()
    await page.getByText(`The link is being sent to ${email}.`).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
  }
  await invite('sam@example.com')
  await invite('nobody@example.com')
  await expect.poll(() => mailsTo('sam@example.com', /Einladung/).length, { timeout: 20_000 }).toBe(1)
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('table', { name: 'Open invitations' }).waitFor()
        return page.getByText('E-mail could not be delivered').count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  await page.getByText('Reason: refused 550').waitFor()
  await page.getByText('E-mail sent').waitFor()
  await checkLooks('team-mail')
})

/** Checks the page at desktop and phone width, in both themes. */
async function checkLooks(name: string): Promise<void> {
  const { page } = user
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const theme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await expect.poll(() => findViolations(page)).toEqual([])
      await takeScreenshot(page, `${name}-${theme}-${width}`)
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}
