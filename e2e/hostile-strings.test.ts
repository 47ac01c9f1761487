import { afterAll, beforeAll, expect, test } from 'vitest'
import { createKey } from '../apps/service/src/accounts/api-keys/create-key.ts'
import { sql } from '../apps/service/src/engine/db/sql.ts'
import { readTemplate } from '../apps/service/src/templates/list-templates.ts'
import { putTemplate } from '../apps/service/src/templates/put-template.ts'
import { setBrand } from '../apps/service/src/accounts/tenants/holder-page.ts'
import type { BrowserUser } from './fixture/browser.ts'
import { pages } from './fixture/pages.ts'
import { closeDashboard, startDashboard, type DashboardFixture } from './fixture/dashboard-fixture.ts'

/** Breaks out of an attribute and an element, and would run in HTML, in a URL and in a template. */
const script = `"'><img src=x onerror="window.ran=1"><script>window.ran=1</script>{{constructor.constructor('window.ran=1')()}}`
const short = '"><img src=x onerror="window.ran=1">'

let fixture: DashboardFixture
let user: BrowserUser
let verification: string

beforeAll(async () => {
  fixture = await startDashboard()
  user = await fixture.signIn({ name: short, email: '"><svg/onload=window.ran=1>@example.com' })
  await user.page.addInitScript(`
    window.violations = []
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      window.violations.push(violatedDirective + ' ' + blockedURI))`)
  verification = await fillWithScripts()
}, 120_000)
afterAll(() => closeDashboard(fixture))

/** Writes a script into every field that a tenant, merchant, member or wallet controls. */
async function fillWithScripts(): Promise<string> {
  const { service, merchant, webhookReceiver: hook } = fixture
  const { ctx } = service
  const { tenant_id } = merchant
  const by = { kind: 'operator', tenant_id } as const
  await ctx.db.execute(sql`update tenants set name = ${script} where id = ${tenant_id}`)
  await setBrand(ctx, { by, brand: { display_name: short, colour: '#7a1f3d' } })
  await createKey(ctx, { by, environment: 'test', name: script, scopes: ['verifications:read'] })
  const template = await readTemplate(ctx, tenant_id, 'age_over_18')
  const named = { ...template, name: short, description: script.slice(0, 150) }
  const violations = await putTemplate(ctx, {
    by,
    key: 'x"><img src=x onerror=window.ran=1>',
    template: named,
  })
  if (violations.length > 0) throw new Error(JSON.stringify(violations))
  await merchant.post('/v1/devices', {
    name: short,
    allowed_templates: ['age_over_18', 'x"><img src=x onerror=window.ran=1>'],
  })
  await fixture.invite({ email: '"><img/src=x/onerror=window.ran=1>@example.com', role: 'auditor' })
  const id = await fixture.createCompletedVerification('adult', {
    purpose: script,
    metadata: { [short]: script },
    webhook_url: `${hook.url}?"><img src=x onerror=window.ran=1>`.replaceAll(' ', '%20'),
    redirect_url: 'https://shop.example/?%22%3E%3Cimg%20src=x%20onerror=window.ran=1%3E',
  })
  await ctx.db.execute(sql`
    update verification_results set
      claims = jsonb_build_object('given_name', ${script}::text, ${short}::text, ${script}::text),
      credentials = jsonb_set(jsonb_set(jsonb_set(credentials,
        '{0,claims}', jsonb_build_object('given_name', ${script}::text, ${short}::text, jsonb_build_array(${script}::text))),
        '{0,issuer}', jsonb_build_object('common_name', ${script}::text, 'country', ${short}::text)),
        '{0,doctype_or_vct}', to_jsonb(${script}::text))
    where verification_id = ${id}`)
  await fixture.createCompletedVerification('declines', { purpose: script })
  return id
}

/** Nothing ran, nothing violated the policy, and no string became an element. */
async function expectNothingRan(): Promise<void> {
  const { page, cspViolations, foreignRequests } = user
  const found = await page.evaluate(`({
    ran: window.ran,
    violations: window.violations,
    injected: document.querySelectorAll('img[src="x"], svg[onload], [onerror]').length,
    links: Array.from(document.querySelectorAll('a[href]'), ({ protocol }) => protocol)
      .filter((protocol) => !['http:', 'https:'].includes(protocol)),
  })`)
  expect({ ...(found as object), cspViolations, foreignRequests }).toEqual({
    ran: undefined,
    violations: [],
    injected: 0,
    links: [],
    cspViolations: [],
    foreignRequests: [],
  })
}

test('[DASH-12] every page of the dashboard shows scripts in data as text', async () => {
  const { page } = user
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  const paths = [
    ...Object.values(pages).map(({ path }) => path),
    `/verifications/${verification}`,
    `/webhooks/${verification}/1`,
    `/templates/${encodeURIComponent('x"><img src=x onerror=window.ran=1>')}`,
  ]
  let shown = 0
  for (const path of paths) {
    await page.goto(`/dashboard/test${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expect.poll(() => page.getByText('Loading', { exact: true }).count()).toBe(0)
    const reveal = page.getByRole('button', { name: 'Show claims' })
    if ((await reveal.count()) > 0) await reveal.click()
    await page.waitForLoadState('networkidle').catch(() => {}) // a page with an event stream is never idle
    if ((await page.locator('body').innerText()).includes('onerror')) shown += 1
    await expectNothingRan()
  }
  expect(dialogs).toEqual([])
  // Guards against pages that do not show the strings at all.
  expect(shown).toBeGreaterThanOrEqual(8)
})

test('[DASH-12] scripts in addresses are shown as text or not at all', async () => {
  const { page } = user
  const odd = encodeURIComponent(script)
  for (const path of [
    `/dashboard/sign-in?error=${odd}&return_to=${odd}`,
    '/dashboard/sign-in?return_to=javascript:window.ran=1',
    `/dashboard/invitation#${odd}`,
    `/dashboard/test/verifications?status=${odd}&template=${odd}`,
    `/dashboard/test/verifications/${odd}`,
    `/dashboard/test/templates/${odd}`,
    `/dashboard/test/audit?action=${odd}&subject=${odd}`,
    `/dashboard/${odd}`,
    `/sandbox/wallet?wallet_uri=${odd}&persona=${odd}`,
    `/docs/errors#${odd}`,
    '/docs',
    '/docs/guides',
  ]) {
    await page.goto(path)
    await page.locator('body').waitFor()
    await expectNothingRan()
  }
})
