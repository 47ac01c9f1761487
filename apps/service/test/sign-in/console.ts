import { operatorPaths, type OperatorOperation, type OperatorRole } from '@vidimus/contract'
import { addOperator } from '../../src/accounts/operators/operators.ts'
import { caller, type ApiResponse } from '../caller.ts'
import { startService, type Service, type ServiceOptions } from '../service.ts'
import { softwareAuthenticator, type Authenticator } from './authenticator.ts'
import { buildPath, storeCookies, tokenFromLink, type CallOptions } from './browser.ts'

/** A browser on the console, as `Browser` is one on the dashboard. */
export type ConsoleBrowser = {
  call(operation: OperatorOperation, call?: CallOptions): Promise<ApiResponse>
  cookies: Map<string, string>
  origin: string
}

export type SignedInOperator = ConsoleBrowser & {
  id: string
  name: string
  email: string
  passkey: Authenticator
  /** Confirms the operator's presence, as after a step-up. */
  confirm(): Promise<ApiResponse>
}

export const consoleUrl = 'https://console.example.com'

export const consoleSettings = { OPERATOR_PORT: '0', OPERATOR_URL: consoleUrl }

/** A service with a console. */
export function startServiceWithConsole({ environment, ...options }: ServiceOptions = {}): Promise<Service> {
  return startService({
    ...options,
    environment: { ...consoleSettings, ...environment },
  })
}

type ConsoleAddress = Pick<Service, 'operator_address'>

export function openConsole({ operator_address }: ConsoleAddress): ConsoleBrowser {
  const cookies = new Map<string, string>()
  return {
    cookies,
    origin: consoleUrl,
    async call(operation, { params = {}, query, body, headers } = {}) {
      const { method, path } = operatorPaths[operation]
      const reply = await caller(operator_address).request(method, buildPath(path, params, query), {
        headers: {
          'sec-fetch-site': 'same-origin',
          ...(method !== 'GET' && { origin: consoleUrl }),
          ...(cookies.size > 0 && {
            cookie: Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; '),
          }),
          ...headers,
        },
        ...(body !== undefined && { body }),
      })
      storeCookies(cookies, reply)
      return reply
    },
  }
}

/** Adds an operator and signs them in with a new passkey, over the routes that a browser uses. */
export async function signInOperator(
  service: Pick<Service, 'operator_address' | 'ctx'>,
  role: OperatorRole = 'owner',
  name = `The ${role}`,
): Promise<SignedInOperator> {
  const email = `${name.toLowerCase().replaceAll(' ', '.')}@operator.example`
  const { operator, link } = await addOperator(service.ctx, { by: { name: 'a test' }, name, email, role })
  return acceptOperatorInvitation(service, { ...operator, link })
}

export async function acceptOperatorInvitation(
  service: ConsoleAddress,
  { id, name, email, link }: { id: string; name: string; email: string; link: string },
): Promise<SignedInOperator> {
  const browser = openConsole(service)
  const passkey = softwareAuthenticator(browser.origin)
  const token = tokenFromLink(link)
  const offered = await browser.call('startInvitation', { body: { token } })
  const response = passkey.create(offered.body.options)
  const reply = await browser.call('acceptInvitation', { body: { token, response } })
  if (reply.status !== 200) throw new Error(`the sign-in failed: ${reply.text}`)
  return {
    ...browser,
    id,
    name,
    email,
    passkey,
    async confirm() {
      const { body } = await browser.call('startConfirmation')
      return browser.call('confirm', { body: { response: passkey.get(body.options) } })
    },
  }
}

/** A program with a token. */
export async function createOperatorToken(
  operator: SignedInOperator,
  token: { role: OperatorRole; name?: string; expires_in_days?: number },
): Promise<{ id: string; token: string }> {
  const { status, text, body } = await operator.call('createToken', {
    body: { name: 'A program', expires_in_days: 30, ...token },
  })
  if (status !== 201) throw new Error(`no token: ${text}`)
  return body
}
