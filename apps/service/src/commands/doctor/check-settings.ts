import { accessSync, constants, mkdirSync } from 'node:fs'
import type { Config } from '../../config.ts'
import type { Cidr } from '../../platform/egress/read-cidr.ts'
import { ok, warning, wrong, type DoctorFinding } from './finding.ts'

/** Settings that can be read and are still not what anybody wants. */
export function checkSettings(config: Config): DoctorFinding[] {
  return [
    ...checkProduction(config),
    ...checkProxies(config),
    ...checkEgressRanges(config),
    ...checkCheckpoints(config),
  ]
}

function checkProduction({ NODE_ENV, BASE_URL, RATE_LIMITS }: Config): DoctorFinding[] {
  const { protocol, hostname } = new URL(BASE_URL)
  const isPublic = protocol === 'https:'
  const findings: DoctorFinding[] = []
  if (NODE_ENV === 'production' && !isPublic)
    findings.push(
      wrong(
        'base address',
        `BASE_URL is ${BASE_URL}: wallets follow https alone.`,
        'Set BASE_URL to the public https address.',
      ),
    )
  if (NODE_ENV === 'production' && /^(?:localhost|127\.|\[::1\])/.test(hostname))
    findings.push(
      wrong(
        'base address',
        `BASE_URL names ${hostname}: a phone would ask itself.`,
        'Set BASE_URL to the public https address.',
      ),
    )
  if (isPublic && NODE_ENV !== 'production')
    findings.push(
      warning(
        'environment',
        'NODE_ENV is not production, and BASE_URL is public: what is only fit for trying out is allowed.',
        'Set NODE_ENV=production.',
      ),
    )
  if (NODE_ENV === 'production' && RATE_LIMITS === 'off')
    findings.push(
      wrong(
        'rate limits',
        'RATE_LIMITS is off: anybody may ask as often as they like.',
        'Remove RATE_LIMITS, or set budgets: key=6000/60,ip=6000/60,session=600/60.',
      ),
    )
  return findings.length > 0 ? findings : [ok('settings', 'can all be read')]
}

/** The service itself speaks http: where the public address is https, something stands before it. */
function checkProxies({ BASE_URL, TRUSTED_PROXIES }: Config): DoctorFinding[] {
  if (TRUSTED_PROXIES.some(matchesEveryAddress))
    return [
      wrong(
        'proxy headers',
        'TRUSTED_PROXIES names everybody: anyone can claim any address, and so any budget.',
        'Set TRUSTED_PROXIES to the ranges of your own proxies.',
      ),
    ]
  if (TRUSTED_PROXIES.length > 0 || !BASE_URL.startsWith('https:')) return []
  return [
    wrong(
      'proxy headers',
      'BASE_URL is https, so a proxy stands before the service, and TRUSTED_PROXIES is empty: all callers share the budget of one address.',
      'Set TRUSTED_PROXIES to the address range of that proxy, such as 10.0.0.0/8.',
    ),
  ]
}

function checkEgressRanges({ WEBHOOK_EGRESS_ALLOW }: Config): DoctorFinding[] {
  if (!WEBHOOK_EGRESS_ALLOW.some(matchesEveryAddress)) return []
  return [
    wrong(
      'egress',
      'WEBHOOK_EGRESS_ALLOW allows every address: any tenant can have requests sent into your network.',
      'Name the few ranges that receivers stand in, or remove WEBHOOK_EGRESS_ALLOW.',
    ),
  ]
}

function matchesEveryAddress({ prefix }: Cidr): boolean {
  return prefix === 0
}

function checkCheckpoints({ AUDIT_CHECKPOINT_DIR: folder, NODE_ENV }: Config): DoctorFinding[] {
  if (folder === undefined)
    return NODE_ENV === 'production'
      ? [
          warning(
            'audit checkpoints',
            'AUDIT_CHECKPOINT_DIR is not set: a log that was wound back as a whole could not be told.',
            'Set it to a folder that the database’s administrators cannot write to.',
          ),
        ]
      : []
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return [ok('audit checkpoints', `are kept in ${folder}`)]
  } catch {
    // Not there and not to be made, or not ours to write.
    return [
      wrong(
        'audit checkpoints',
        `AUDIT_CHECKPOINT_DIR ${folder} cannot be written.`,
        'Make the folder and give it to the user that runs the worker.',
      ),
    ]
  }
}
