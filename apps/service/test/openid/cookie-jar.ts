import type { Service } from '../service.ts'

/** A form that the browser posts to the site. */
export type PostedForm = { action: string; fields: Record<string, string> }

/** The page of a verification, the site's own address, a form for it, or a page of ours that says what is wrong. */
export type BrowserEnd =
  | { id: string }
  | { returned: URL }
  | { posted: PostedForm; headers: Headers }
  | { status: number; page: string }

export type CookieJar = {
  cookies: Map<string, string>
  /** Opens an address of the service and follows its redirects, up to a page or an address elsewhere. */
  open(url: string): Promise<BrowserEnd>
  /** Opens the address that a wallet or our page leads to, as its script does with the fragment. */
  comeBack(url: string): Promise<BrowserEnd>
  /** Where our page leads once the verification has ended. */
  readReturnUrl(id: string): Promise<string>
}

/** With headers that can be added to. */
export type PlainRequest = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }

const maxRedirects = 5

/** A browser as far as cookies, redirects and the fragment are concerned. The browser tests use a real one. */
export function openCookieJar({ ctx, address }: Pick<Service, 'ctx' | 'address'>): CookieJar {
  const { BASE_URL } = ctx.config
  const cookies = new Map<string, string>()
  const send = async (url: string, init: PlainRequest = {}) => {
    const response = await fetch(url.replace(BASE_URL, address), {
      redirect: 'manual',
      ...init,
      headers: { cookie: Array.from(cookies, (pair) => pair.join('=')).join('; '), ...init.headers },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return response
  }
  const open = async (url: string): Promise<BrowserEnd> => {
    let to = url
    for (let redirects = 0; redirects < maxRedirects; redirects += 1) {
      if (!to.startsWith(BASE_URL)) return { returned: new URL(to) }
      const id = /\/verify\/(vs_[\w-]+)/.exec(to)?.[1]
      if (id !== undefined) return { id }
      const response = await send(to)
      const location = response.headers.get('location')
      if (location === null) return readPage(response)
      to = location
    }
    throw new Error('There were too many redirects.')
  }
  return {
    cookies,
    open,
    async comeBack(url) {
      const [page = '', fragment] = url.split('#')
      const end = await open(page)
      if (!('page' in end) || end.status !== 200 || fragment === undefined) return end
      const response = await send(page, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ response_code: new URLSearchParams(fragment).get('response_code') }),
      })
      const { location, form } = (await response.json()) as { location?: string; form?: PostedForm }
      if (form !== undefined) return { posted: form, headers: response.headers }
      return location === undefined ? { status: response.status, page: '' } : open(location)
    },
    async readReturnUrl(id) {
      const verification = (await (await send(`${BASE_URL}/verify/${id}/session`)).json()) as {
        return_url: string
      }
      return verification.return_url
    },
  }
}

/** What a browser with script does with a page: it posts the form that the page contains. */
async function readPage(response: Response): Promise<BrowserEnd> {
  const page = await response.text()
  const action = /<form method="post" action="([^"]*)">/.exec(page)?.[1]
  if (action === undefined) return { status: response.status, page }
  const inputs = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  const fields = Array.from(inputs, ([, name = '', value = '']) => [readHtml(name), readHtml(value)])
  return {
    posted: { action: readHtml(action), fields: Object.fromEntries(fields) },
    headers: response.headers,
  }
}

function readHtml(text: string): string {
  const names: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => names[name] ?? '')
}
