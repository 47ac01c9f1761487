import type { Context } from '../../../engine/context.ts'
import { Refusal } from '../../../engine/basics/index.ts'

const reasons = {
  not_http: 'must be http or https',
  port: 'must not name a port of another protocol, such as 25',
  not_public: 'must resolve to a public address',
  credentials: 'must not contain a user name or password; check the signature instead',
}

/** The refusal of a URL that nothing may be sent to, or undefined. `member` is the member of the body that has the URL. */
export async function checkReceiverUrl(
  { egress }: Pick<Context, 'egress'>,
  url: string,
  member: 'url' | 'webhook_url',
): Promise<Refusal | undefined> {
  const checked = await egress.checkUrl(url)
  if (checked.verdict !== 'refused') return undefined
  return new Refusal('invalid_webhook_url', `${member} ${reasons[checked.reason]}.`)
}
