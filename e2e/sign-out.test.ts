import { afterAll, expect, test } from 'vitest'
import { closeDashboard, startDashboard } from './fixture/dashboard-fixture.ts'

const fixture = await startDashboard()
afterAll(() => closeDashboard(fixture))

test('a sign-out clears the session and the cache, and leaves what the till and the bridge keep on the same host', async () => {
  await using user = await fixture.signIn()
  const { page } = user
  const context = page.context()
  await page.goto('/dashboard/test/audit')
  await page.getByRole('cell', { name: 'Signed in' }).first().waitFor()
  // What other parts of the service keep in this browser: the bridge a cookie, the till its tokens and settings.
  await context.addCookies([{ name: 'vidimus_browser', value: 'of-the-bridge', url: fixture.address }])
  await page.evaluate(`new Promise((resolve, reject) => {
    localStorage.setItem('of-the-till', 'kept')
    const opening = indexedDB.open('of-the-till', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('tokens').put('kept', 'token')
    opening.onsuccess = () => (opening.result.close(), resolve())
    opening.onerror = reject
  })`)
  // A script of the audit page, which the sign-in page does not load.
  const script = await page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => name).find((name) => /audit[^/]*\\.js$/.test(name))`,
  )
  const isCached = () =>
    page.evaluate(`fetch(${JSON.stringify(script)}, { cache: 'only-if-cached', mode: 'same-origin' }).then(
      ({ ok }) => ok,
      () => false,
    )`)
  expect(await isCached()).toBe(true)

  const signedOut = page.waitForResponse((response) => response.url().endsWith('/sign-out'))
  await page.getByRole('button', { name: /, Owner/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  expect((await (await signedOut).allHeaders())['clear-site-data']).toBe('"cache"')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()

  expect(await isCached()).toBe(false)
  const cookies = await context.cookies()
  expect(cookies.map(({ name, value }) => [name, value])).toEqual([['vidimus_browser', 'of-the-bridge']])
  expect(await page.evaluate(`localStorage.getItem('of-the-till')`)).toBe('kept')
  expect(
    await page.evaluate(`new Promise((resolve, reject) => {
      const opening = indexedDB.open('of-the-till', 1)
      opening.onsuccess = () => {
        const reading = opening.result.transaction('tokens').objectStore('tokens').get('token')
        reading.onsuccess = () => resolve(reading.result)
        reading.onerror = reject
      }
      opening.onerror = reject
    })`),
  ).toBe('kept')

  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
})
