import { accessSync, constants, mkdirSync } from 'node:fs'
import type { Config } from '../../../engine/config/index.ts'
import type { Database } from '../../../engine/db/index.ts'
import type { Cidr } from '../../../engine/egress/index.ts'
import { type MasterKey, MasterKeyError, inspectKeyring } from '../../../engine/keyring/index.ts'
import { type DoctorFinding, ok, warning, wrong } from '../../../operations/index.ts'

/** Valid settings that are still a mistake. */
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
        `BASE_URL is ${BASE_URL}, but wallets accept only https.`,
        'Set BASE_URL to the public https URL.',
      ),
    )
  if (NODE_ENV === 'production' && /^(?:localhost|127\.|\[::1\])/.test(hostname))
    findings.push(
      wrong(
        'base address',
        `BASE_URL is ${hostname}, which on a phone is the phone itself.`,
        'Set BASE_URL to the public https URL.',
      ),
    )
  if (isPublic && NODE_ENV !== 'production')
    findings.push(
      warning(
        'environment',
        'BASE_URL is public, but NODE_ENV is not production: settings for development are allowed.',
        'Set NODE_ENV=production.',
      ),
    )
  if (NODE_ENV === 'production' && RATE_LIMITS === 'off')
    findings.push(
      wrong(
        'rate limits',
        'RATE_LIMITS is off: anyone can send any number of requests.',
        'Remove RATE_LIMITS, or set limits: key=6000/60,ip=6000/60,session=600/60.',
      ),
    )
  return findings.length > 0 ? findings : [ok('settings', 'are valid')]
}

/** The service itself speaks http, so a public https URL means that there is a proxy in front. */
function checkProxies({ BASE_URL, TRUSTED_PROXIES }: Config): DoctorFinding[] {
  if (TRUSTED_PROXIES.some(matchesEveryAddress))
    return [
      wrong(
        'proxy headers',
        'TRUSTED_PROXIES includes every address: anyone can claim any address and so evade rate limits.',
        'Set TRUSTED_PROXIES to the ranges of your own proxies.',
      ),
    ]
  if (TRUSTED_PROXIES.length > 0 || !BASE_URL.startsWith('https:')) return []
  return [
    wrong(
      'proxy headers',
      'BASE_URL is https, so there is a proxy, but TRUSTED_PROXIES is empty: all callers share the rate limit of one address.',
      'Set TRUSTED_PROXIES to the address range of the proxy, such as 10.0.0.0/8.',
    ),
  ]
}

function checkEgressRanges({ WEBHOOK_EGRESS_ALLOW }: Config): DoctorFinding[] {
  if (!WEBHOOK_EGRESS_ALLOW.some(matchesEveryAddress)) return []
  return [
    wrong(
      'egress',
      'WEBHOOK_EGRESS_ALLOW allows every address: any tenant can send requests into your network.',
      'List only the ranges of your receivers, or remove WEBHOOK_EGRESS_ALLOW.',
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
            'AUDIT_CHECKPOINT_DIR is not set: a rollback of the whole log could not be detected.',
            'Set it to a folder that database administrators cannot write to.',
          ),
        ]
      : []
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
    return [ok('audit checkpoints', `are saved in ${folder}`)]
  } catch {
    // It cannot be created, or is not writable.
    return [
      wrong(
        'audit checkpoints',
        `AUDIT_CHECKPOINT_DIR ${folder} is not writable.`,
        'Create the folder and make it writable for the user that runs the worker.',
      ),
    ]
  }
}

const check = 'master key'

/** Whether the ring opens, and whether the key that shall wrap it can: while it is being changed, these are two. */
export async function checkMasterKey(db: Database, masterKeys: readonly MasterKey[]): Promise<DoctorFinding> {
  const [current] = masterKeys
  const inspection = await inspectKeyring(db, masterKeys)
  if (inspection.state === 'closed')
    return wrong(
      check,
      inspection.reason,
      'Use the master key that the database was set up with, from its file or its token. While changing it, set the old one as MASTER_KEY_PREVIOUS or MASTER_KEY_PREVIOUS_URI.',
    )
  const problem = await findProblem(current)
  if (problem !== undefined)
    return wrong(
      check,
      problem,
      'Correct the setting or the token before you run `vidimus admin keyring rewrap`.',
    )
  if (inspection.state === 'empty') return ok(check, 'will wrap the key ring, which the first start creates')
  const previous = [...inspection.by].find((setting) => setting !== current?.setting)
  return previous === undefined
    ? ok(check, 'opens the key ring')
    : warning(
        check,
        `${previous} still wraps the key ring, not ${current?.setting}.`,
        'Run `vidimus admin keyring rewrap` once every process has both.',
      )
}

async function findProblem(current: MasterKey | undefined): Promise<string | undefined> {
  try {
    await current?.check()
    return undefined
  } catch (error) {
    if (error instanceof MasterKeyError) return `${error.explain()}.`
    throw error
  }
}
