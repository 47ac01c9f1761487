import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeBrowser, type Visitor } from './browser.ts'
import { startWorld, type World } from './world.ts'

let world: World
let visitor: Visitor

beforeAll(async () => {
  world = await startWorld()
  visitor = await world.enter()
})
afterAll(async () => {
  await closeBrowser()
  await world[Symbol.asyncDispose]()
})

test('a made-up person answers a test verification; claims are masked until shown, and both are in the timeline', async () => {
  const { page } = visitor
  await page.goto('/dashboard/test/verifications')
  await page.getByRole('button', { name: 'New test verification' }).first().click()
  await page.getByLabel('Template').last().selectOption('age_over_18')
  await page.getByLabel('Who answers').selectOption('adult')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.getByRole('heading', { name: 'Verification', level: 1 }).waitFor()
  await page.getByText('Completed', { exact: true }).waitFor()
  await page.getByText('masked').first().waitFor()
  await page.getByRole('button', { name: 'Show claims' }).click()
  await page.getByText('That you looked is in the audit log.').waitFor()
  await page.getByText(/Claims were looked at by Marta Keller/).waitFor()
})

test('why a verification failed is said in words', async () => {
  const { page } = visitor
  const id = await world.answered('minor')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByText('The holder does not meet what the template requires.').waitFor()
})

test('what completes in one place is shown in another within a second: list and detail', async () => {
  const { body } = await world.merchant.post('/v1/verifications', { template: 'age_over_18' })
  const detail = await visitor.context.newPage()
  await detail.goto(`/dashboard/test/verifications/${body.id}`)
  await detail.getByText('Pending', { exact: true }).waitFor()
  const list = visitor.page
  await list.goto('/dashboard/test/verifications')
  const row = list.getByRole('row', { name: new RegExp(body.id.slice(0, 14)) })
  await row.getByText('Pending').waitFor()

  await world.respond(body.wallet_uri, { persona: 'adult' })
  const answered = performance.now()
  await Promise.all([
    detail.getByText('Completed', { exact: true }).waitFor(),
    row.getByText('Completed').waitFor(),
  ])
  const took = performance.now() - answered
  console.log(`shown ${Math.round(took)} ms after the answer`)
  // A second on a machine of one's own; this one also runs the service, its worker and the browser.
  expect(took).toBeLessThan(5000)
  await detail.close()
})

test('an erasure says what will go, and it goes', async () => {
  const { page } = visitor
  const id = await world.answered('adult')
  await page.goto(`/dashboard/test/verifications/${id}`)
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByRole('dialog').getByText('1 result with its claims').waitFor()
  await page.getByRole('button', { name: 'Erase for good' }).click()
  await page
    .getByText(/are gone for good/)
    .first()
    .waitFor()
  expect((await world.merchant.get(`/v1/verifications/${id}`)).status).toBe(404)
})

test('[TPL-3] a template made by clicking alone is used by the API and answered in both formats', async () => {
  const { page } = visitor
  await page.goto('/dashboard/test/templates')
  await page.getByRole('link', { name: 'New template' }).first().click()
  await page.getByRole('textbox', { name: 'Key' }).fill('club_entry')
  await page.getByRole('textbox', { name: 'Name' }).fill('Club entry')
  await page.getByLabel('Given name', { exact: true }).check()
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Club entry', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('Completed', { exact: true }).waitFor()

  for (const format of ['dc+sd-jwt', 'mso_mdoc'] as const) {
    const { status, body } = await world.merchant.post('/v1/verifications', { template: 'club_entry' })
    expect(status).toBe(201)
    await world.respond(body.wallet_uri, { persona: 'adult', format })
    const answer = await world.merchant.get(`/v1/verifications/${body.id}`)
    expect(answer.body.status).toBe('completed')
    expect(answer.body.claims).toMatchObject({ age_over_18: true, given_name: expect.any(String) })
    expect(answer.body.claims).not.toHaveProperty('birth_date')
  }
})

test('[TPL-3] a built-in template is read, duplicated, and its copy changed', async () => {
  const { page } = visitor
  await page.goto('/dashboard/test/templates/age_over_18')
  await page.getByText(/It cannot be changed/).waitFor()
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await page.getByLabel('Key of the copy').fill('my_age')
  await page.getByRole('dialog').getByRole('button', { name: 'Duplicate' }).click()
  await page.getByLabel('JSON').waitFor()
  const text = await page.getByLabel('JSON').inputValue()
  await page.getByLabel('JSON').fill(text.replace('"Age over 18"', '"Age at the door"'))
  await page.getByRole('button', { name: 'Save template' }).click()
  await page.getByRole('heading', { name: 'Age at the door', level: 1 }).waitFor()
})
