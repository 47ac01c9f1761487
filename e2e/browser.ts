import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
let browser: Promise<Browser> | undefined

export type BrowserUser = {
  page: Page
  context: BrowserContext
  /** Requests that left for another origin, and what the page's policy refused. Both have to stay empty. */
  foreignRequests: string[]
  cspViolations: string[]
  /** From here on the passkeys of another device, which has none yet. */
  replaceAuthenticator(): Promise<void>
} & AsyncDisposable

export type BrowserOptions = { address: string; phone?: boolean; theme?: 'light' | 'dark' }

/** Somebody with a browser of their own: a fresh profile, and an authenticator that makes and keeps passkeys. */
export async function openBrowser({
  address,
  phone = false,
  theme = 'light',
}: BrowserOptions): Promise<BrowserUser> {
  browser ??= chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: flags })
  const context = await (
    await browser
  ).newContext({
    baseURL: address,
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    isMobile: phone,
    hasTouch: phone,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const [foreignRequests, cspViolations]: [string[], string[]] = [[], []]
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (origin !== address && protocol !== 'data:' && protocol !== 'blob:')
      foreignRequests.push(request.url())
  })
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) cspViolations.push(message.text())
  })
  const replaceAuthenticator = await openAuthenticator(context, page)
  await replaceAuthenticator()
  return {
    page,
    context,
    foreignRequests,
    cspViolations,
    replaceAuthenticator,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Returns what takes away the authenticator that there is, if any, and puts a new one in its place. */
async function openAuthenticator(context: BrowserContext, page: Page): Promise<() => Promise<void>> {
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  let present: string | undefined
  return async () => {
    if (present !== undefined)
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: present })
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    })
    present = authenticatorId
  }
}

export async function closeBrowser(): Promise<void> {
  await (await browser)?.close()
  browser = undefined
}
