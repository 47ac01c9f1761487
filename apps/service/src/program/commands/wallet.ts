import { isAppOrigin } from '@vidimus/contract'
import {
  describeFaults,
  faults,
  findFault,
  findPersona,
  personas,
  respond,
  respondAsBrowser,
  createWallet,
  type DcApiChannel,
  type Fault,
  type Fetch,
  type UnsignedCredential,
  type Persona,
  type RespondResult,
} from '@vidimus/sandbox'
import { givenVariables } from '../../engine/config/index.ts'
import { dcUri, readVerificationUri } from '../../holder/index.ts'
import { openSandboxIssuer } from '../../trust/index.ts'
import { command, CommandError, printResult, printMessage, UsageError } from './command.ts'
import { jsonLinesOption, jsonOption } from './options.ts'
import { respondRemotely } from './respond-remotely.ts'
import { withContext } from './with-context.ts'

export const walletRespondCommand = command({
  positionals: ['WALLET_URI'],
  options: {
    persona: {
      type: 'string',
      description: 'one of `vidimus wallet personas` (default: adult)',
    },
    with: {
      type: 'string',
      description: 'use only these documents, comma-separated: pid, mdl, av, photo_id, pilot',
    },
    format: { type: 'string', description: 'use only this format: sd-jwt or mdoc' },
    decline: { type: 'boolean', description: 'decline the request' },
    fault: { type: 'string', description: 'commit one of `vidimus wallet faults`' },
    channel: {
      type: 'string',
      description:
        'respond through the Digital Credentials API: dc_api (OpenID4VP) or annex_c (ISO 18013-7); WALLET_URI may then be any URL of the verification',
    },
    origin: {
      type: 'string',
      description: 'the origin of the page or Android app, with --channel (default: that of the service)',
    },
    json: jsonOption,
  },
  async run({ values, positionals }) {
    const persona = requirePersona(values.persona ?? 'adult')
    const fault = values.fault === undefined ? undefined : requireFault(values.fault)
    const only = documentFilter(values.with, values.format)
    const channel = values.channel === undefined ? undefined : requireChannel(values.channel)
    const page = channel === undefined ? undefined : findPage(positionals[0] ?? '', values.origin)
    if (values.origin !== undefined && page === undefined) throw new UsageError('--origin needs --channel')
    if (givenVariables()['DATABASE_URL'] === undefined)
      return respondWithoutDatabase(values, positionals[0] ?? '')
    const issuer = await withContext((ctx) => openSandboxIssuer(ctx))
    const response = {
      wallet: createWallet(persona, { issuer, now: new Date(), filter: only }),
      fetch: directFetch,
      now: () => new Date(),
      sleep: waitFor,
      behaviour: values.decline ? ('declines' as const) : persona.behaviour,
      fault,
    }
    const responded =
      page === undefined
        ? await respond({ ...response, wallet_uri: positionals[0] ?? '' })
        : await respondAsBrowser({ ...response, ...page, channel })
    return printOutcome(values, responded)
  },
})

export const walletPersonasCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    printList(
      values,
      personas.map(({ name, description }) => ({ name, description })),
    )
  },
})

export const walletFaultsCommand = command({
  options: { json: jsonLinesOption },
  async run({ values }) {
    printList(values, describeFaults(faults))
  },
})

/** Writes everything at once, so that a reader such as `head` causes no EPIPE. */
function printList(
  { json: asJson }: { json: boolean },
  entries: readonly { name: string; description: string }[],
): void {
  const width = Math.max(...entries.map(({ name }) => name.length))
  const lines = entries.map((entry) =>
    asJson ? JSON.stringify(entry) : `${entry.name.padEnd(width)}  ${entry.description}`,
  )
  process.stdout.write(`${lines.join('\n')}\n`)
}

type RespondValues = {
  [Name in 'persona' | 'with' | 'format' | 'fault' | 'channel' | 'origin']: string | undefined
} & { decline: boolean; json: boolean }

/** The service has the wallet. Its sandbox cannot choose among documents. */
async function respondWithoutDatabase(values: RespondValues, wallet_uri: string): Promise<number> {
  const { persona = 'adult', fault, format, channel, origin, decline } = values
  if (values.with !== undefined) throw new UsageError('--with needs DATABASE_URL; choose a --persona instead')
  const { http_status, body, complaints } = await respondRemotely({
    wallet_uri,
    persona: decline ? 'declines' : persona,
    fault,
    format: format && formats[format],
    channel,
    origin,
  })
  if (http_status !== undefined) return printOutcome(values, { sent: true, http_status, body: body ?? '' })
  for (const complaint of complaints ?? []) printMessage(complaint)
  return 1
}

/** Exit status 0 whenever the service responded, whatever its response. */
function printOutcome(values: { json: boolean }, responded: RespondResult): number {
  if (!responded.sent) {
    for (const { rule, message, place } of responded.violations)
      printMessage(`${rule}: ${message} (${place})`)
    return 1
  }
  const { http_status, body } = responded
  printResult(values, { http_status, body: parseJson(body) }, [`${http_status} ${body}`])
  return 0
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // A proxy, for example, may respond with something else than JSON.
    return body
  }
}

function requirePersona(name: string): Persona {
  const persona = findPersona(name)
  if (persona === undefined) throw new UsageError(`Unknown persona ${name}: see \`vidimus wallet personas\``)
  return persona
}

function requireFault(name: string): Fault {
  const fault = findFault(name)
  if (fault === undefined) throw new UsageError(`Unknown fault ${name}: see \`vidimus wallet faults\``)
  return fault
}

function requireChannel(name: string): DcApiChannel {
  if (name !== 'dc_api' && name !== 'annex_c') throw new UsageError('--channel must be dc_api or annex_c')
  return name
}

/** Where the page of a session fetches its requests, and the origin that the browser reports for it. */
function findPage(uri: string, originText: string | undefined): { dc_uri: string; origin: string } {
  const verification = readVerificationUri(uri)
  if (verification === undefined)
    throw new UsageError(
      'WALLET_URI must be a wallet_uri or a URL of a verification, such as https://…/verify/vs_…',
    )
  const origin = originText ?? new URL(verification.base_url).origin
  if (URL.parse(origin)?.origin !== origin && !isAppOrigin(origin))
    throw new UsageError(
      '--origin must be an origin as a browser writes it, such as https://shop.example, or that of an Android app',
    )
  return { dc_uri: dcUri(verification), origin }
}

const documents = ['pid', 'mdl', 'av', 'photo_id', 'pilot']
const formats: Readonly<Record<string, UnsignedCredential['format']>> = {
  'sd-jwt': 'dc+sd-jwt',
  mdoc: 'mso_mdoc',
}

/** Which documents the wallet may use. A German PID counts as a PID. */
function documentFilter(
  withText: string | undefined,
  formatText: string | undefined,
): (credential: UnsignedCredential) => boolean {
  const names = withText?.split(',').map((name) => name.trim())
  const unknown = names?.find((name) => !documents.includes(name))
  if (unknown !== undefined) throw new UsageError(`--with ${unknown} must be one of ${documents.join(', ')}`)
  const format = formatText === undefined ? undefined : formats[formatText]
  if (formatText !== undefined && format === undefined)
    throw new UsageError('--format must be sd-jwt or mdoc')
  return (credential) =>
    (names?.includes(credential.document.startsWith('pid_') ? 'pid' : credential.document) ?? true) &&
    (format ?? credential.format) === credential.format
}

const timeout_ms = 15_000

/** The wallet belongs to the holder, so it calls any URL in the request, without the service's egress. */
const directFetch: Fetch = async (url, init) => {
  try {
    // oxlint-disable-next-line no-restricted-globals
    return await fetch(url, { ...init, signal: AbortSignal.timeout(timeout_ms) })
  } catch (error) {
    // fetch throws if it cannot connect, with the reason as its cause.
    const { cause } = error instanceof Error ? error : {}
    throw new CommandError(
      `Can't connect to ${new URL(url).origin}: ${cause instanceof Error ? cause.message : String(error)}`,
    )
  }
}

async function waitFor(ms: number): Promise<void> {
  if (process.stderr.isTTY) printMessage(`waiting ${Math.ceil(ms / 1000)} s until the request has expired`)
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, ms)))
}
