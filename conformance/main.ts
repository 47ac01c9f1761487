import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { waitForService } from './wait-for-service.ts'
import { openReceiver } from './receiver.ts'
import { formatHeading, formatResult, formatSummary } from './report.ts'
import { runConformance } from './run.ts'
import type { Target } from './target.ts'

const usage = `npm run conformance -- --base-url URL --key KEY [options]

  --base-url URL          the service
  --key KEY               a test key with all four scopes
  --other-key KEY         another tenant's, with all four scopes
  --read-key KEY          the same tenant's, with verifications:read alone
  --live-key KEY          the same tenant's, of the live environment, with all four scopes
  --expired-key KEY       one that is past its deadline
  --quota-key KEY         of a tenant with at most 20 verifications left today; they are used up
  --wallet COMMAND        answers as a trusted adult when the wallet_uri and --json are appended, for example
                          'npm run -s vidimus -- wallet respond'
  --webhook-secret SECRET the tenant's; webhooks are then expected at --webhook-listen
  --webhook-listen H:P    where to listen for them (127.0.0.1:0); the service must be allowed to send there
  --slow                  also what takes a minute
  --part N                only this part of the specification
  --id ID                 only the checks that look at this requirement, such as HOOK-2
  --json                  a JSON line for each check`

const { values } = parseArgs({
  options: {
    'base-url': { type: 'string' },
    key: { type: 'string' },
    'other-key': { type: 'string' },
    'read-key': { type: 'string' },
    'live-key': { type: 'string' },
    'expired-key': { type: 'string' },
    'quota-key': { type: 'string' },
    wallet: { type: 'string' },
    'webhook-secret': { type: 'string' },
    'webhook-listen': { type: 'string', default: '127.0.0.1:0' },
    slow: { type: 'boolean', default: false },
    part: { type: 'string' },
    id: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
})
const { 'base-url': base_url, key, json } = values
if (base_url === undefined || key === undefined) {
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

const unreachableReason = URL.canParse(base_url) ? await waitForService(base_url) : 'that is no address'
if (unreachableReason !== undefined) {
  process.stderr.write(`${base_url} does not answer: ${unreachableReason}\n`)
  process.exit(2)
}

const [host = '', port = ''] = values['webhook-listen'].split(':')
await using receiver =
  values['webhook-secret'] === undefined
    ? undefined
    : await openReceiver({ host, port: Number(port), secret: values['webhook-secret'] })
const target: Target = {
  base_url: base_url.replace(/\/+$/, ''),
  key,
  other_key: values['other-key'],
  read_key: values['read-key'],
  live_key: values['live-key'],
  expired_key: values['expired-key'],
  quota_key: values['quota-key'],
  wallet: values.wallet === undefined ? undefined : runWalletCommand(values.wallet),
  receiver,
  patience: values.slow,
}

let lastPart: number | undefined
const results = await runConformance(target, {
  part: values.part === undefined ? undefined : Number(values.part),
  id: values.id,
  onResult(result) {
    if (!json && lastPart !== result.part) console.log(formatHeading((lastPart = result.part)))
    console.log(json ? JSON.stringify(result) : formatResult(result))
  },
})
if (!json) console.log(formatSummary(results))
process.exitCode = results.some(({ outcome }) => outcome === 'deviates') ? 1 : 0

/** A wallet that is a program: it gets the wallet_uri and says on standard output what the service answered. */
function runWalletCommand(command: string): Target['wallet'] {
  const [program = '', ...args] = command.split(' ')
  return async (wallet_uri) => {
    const { stdout } = await promisify(execFile)(program, [...args, wallet_uri, '--json'])
    return JSON.parse(stdout)
  }
}
