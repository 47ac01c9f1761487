import { flushAudit, listAudit } from '../apps/service/src/audit/index.ts'
import { afterAll, expect, test } from 'vitest'
import { createTenant } from '../apps/service/src/accounts/tenants/create.ts'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { findViolations } from './fixture/axe.ts'
import { startConsole } from './fixture/console-fixture.ts'
import { closeDashboard } from './fixture/dashboard-fixture.ts'
import { takeScreenshot } from './fixture/screenshot.ts'

const fixture = await startConsole({ SUPPORT_ACCESS: 'reason' })
const { ctx } = fixture.service
const owner = await fixture.signInOperator()
const { page } = owner
afterAll(() => closeDashboard(fixture))

const dialog = page.getByRole('dialog')

/** A tenant as a sign-up leaves it, once its address is confirmed. */
async function signUp(name: string): Promise<string> {
  const { tenant_id } = await createTenant(ctx, { name })
  await ctx.db.execute(sql`update tenants set approval = 'pending' where id = ${tenant_id}`)
  return tenant_id
}

test('an operator approves one sign-up and refuses another with a reason, and both leave the list', async () => {
  await signUp('Lumen Festival')
  await signUp('Nordlicht Apotheken')
  await page.goto('/console/sign-ups')
  await page.getByRole('heading', { level: 1, name: 'Sign-ups' }).waitFor()
  await page.getByRole('link', { name: /^Sign-ups 2/ }).waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expect.poll(() => findViolations(page)).toEqual([])
    await takeScreenshot(page, `console-sign-ups-${colorScheme}`, false)
  }

  await page.getByRole('button', { name: 'Approve Lumen Festival' }).click()
  await dialog.getByRole('button', { name: 'Approve tenant' }).click()
  await page.getByText('Lumen Festival is approved.').first().waitFor()
  await page.getByRole('button', { name: 'Refuse Nordlicht Apotheken' }).click()
  await dialog.getByRole('button', { name: 'Refuse tenant' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('We know no such company.')
  await dialog.getByRole('button', { name: 'Refuse tenant' }).click()
  await page.getByText('Nordlicht Apotheken is refused.').first().waitFor()
  await page.getByRole('heading', { name: 'Nobody waits' }).waitFor()
  const rows = await ctx.db.query<{ approval: string }>(
    sql`select approval from tenants where name in ('Lumen Festival', 'Nordlicht Apotheken') order by name`,
  )
  expect(rows).toEqual([{ approval: 'approved' }, { approval: 'refused' }])
})

test('an operator takes access as support with a reason, which the page shows until it is ended', async () => {
  await page.goto('/console/tenants?q=Lumen')
  await page.getByRole('link', { name: 'Lumen Festival' }).click()
  await page.getByRole('button', { name: 'Take access' }).click()
  await dialog.getByLabel('What the tenant reads').fill('Ticket 4471: webhooks fail')
  expect(await findViolations(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Take access' }).click()
  await page.getByText('Taken by Mara König').waitFor()
  await takeScreenshot(page, 'console-support', false)
  await page.getByRole('link', { name: 'Look inside' }).click()
  const lists = ['Verifications', 'Deliveries', 'Requests', 'Templates']
  for (const list of lists) {
    await page.getByRole('button', { name: list, exact: true }).click()
    await page.getByText('Nothing here.').waitFor()
  }
  await flushAudit(ctx)
  const [tenant] = await ctx.db.query<{ id: string }>(
    sql`select id from tenants where name = 'Lumen Festival'`,
  )
  const { data } = await listAudit(ctx, { tenant_id: tenant?.id ?? '', limit: 20 })
  expect(data.filter(({ action }) => action === 'support.viewed')).toHaveLength(lists.length)
  await page.getByRole('button', { name: 'End access' }).click()
  await dialog.getByRole('button', { name: 'End access' }).click()
  await page.getByText('Access ended.').first().waitFor()
  await page.getByRole('button', { name: 'Take access' }).waitFor()
  expect(await page.getByRole('button', { name: 'Verifications', exact: true }).count()).toBe(0)
})
