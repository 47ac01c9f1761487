import type { Browser } from './sign-in/browser.ts'
import { waitUntil } from './wait-until.ts'

/** The environment of the tests' requests, as a route's parameters. */
export const here = { environment: 'test' }
type Logged = Record<string, string | number | undefined> & { request_id: string }

/** The page of the log once it has the request with this id. */
export async function logWith(browser: Browser, request_id: string, query: Record<string, string> = {}) {
  let page: { data: Logged[]; omitted: number; recording: string; next_before?: string } = {
    data: [],
    omitted: 0,
    recording: '',
  }
  await waitUntil(async () => {
    page = (await browser.call('listRequests', { params: here, query })).body
    return page.data.some((each) => each.request_id === request_id)
  })
  return page
}

/** A request that the log shows under this id. */
export const withId = (request_id: string, more: Record<string, string> = {}) => ({
  headers: { 'x-request-id': request_id, ...more },
})
