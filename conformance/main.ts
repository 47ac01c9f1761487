import { execFile } from 'node:child_process'
import { parseArgs, promisify } from 'node:util'
import { waitForService } from './wait-for-service.ts'
import { openReceiver } from './receiver.ts'
import { formatHeading, formatResult, formatSummary } from './report.ts'
import { runConformance } from './run.ts'
import type { Target } from './target.ts'

const usage = `npm run conformance -- --base-url URL --key KEY [options]

  --base-url URL          the address of the service
  --key KEY               a test key with all four scopes
  --other-key KEY         a key of another tenant with all four scopes
  --read-key KEY          a key of the same tenant with only verifications:read
  --live-key KEY          a live key of the same tenant with all four scopes
  --expired-key KEY       an expired key
  --quota-key KEY         a key of a tenant with at most 20 verifications left today; uses them up
  --wallet COMMAND        a command that responds as a trusted adult; called with the wallet_uri and --json, for example
                          'npm run -s vidimus -- wallet respond'
  --webhook-secret SECRET the tenant's webhook secret; tests webhooks
  --webhook-listen H:P    the address to receive webhooks on (127.0.0.1:0); the service must be allowed to send there
  --slow                  include checks that take a minute
  --part N                only this part of the specification
  --id ID                 only the checks of this requirement, such as HOOK-2
  --json                  print one JSON line per check`

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

const unreachableReason = URL.canParse(base_url) ? await waitForService(base_url) : 'not a URL'
if (unreachableReason !== undefined) {
  process.stderr.write(`Can't connect to ${base_url}: ${unreachableReason}\n`)
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
  slow: values.slow,
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

/** Runs an external wallet. It gets the wallet_uri and prints the service's response as JSON. */
function runWalletCommand(command: string): Target['wallet'] {
  const [program = '', ...args] = command.split(' ')
  return async (wallet_uri) => {
    const { stdout } = await promisify(execFile)(program, [...args, wallet_uri, '--json'])
    return JSON.parse(stdout)
  }
}
