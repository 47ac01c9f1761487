import {
  type AnyQuery,
  checkBounds,
  checkQuery,
  completeQuery,
  findOmissions,
  findQueryWarnings,
  isAllClear,
  isYesNo,
  type Violation,
} from '@vidimus/protocol'
import type { CreateVerification } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import {
  type TemplateContext,
  bindVersion,
  readVersion,
  resolveTemplate,
  unknownTemplate,
} from '../../templates/index.ts'
import { getPolicies, getSealing } from '../../accounts/index.ts'
import { checkReceiverUrl, insecureUrlWarning } from '../../deliveries/index.ts'
import { isPublicHost } from '../../engine/egress/index.ts'

/**
 * What the wallet will be asked for: a template version or the caller's own query. A replay takes precedence over a refusal
 * found here.
 */
export type ResolvedQuery = {
  template_version?: Buffer
  query?: object
  /** Why the template asks, if the request itself does not say it. */
  purpose?: string | undefined
  warnings: string[]
  refusal?: Refusal
}

/** Warnings of one creation, and the length of each: together they fit in a header behind any proxy. */
export const maxWarnings = 16
export const maxWarning_characters = 160

/** The request as far as it decides what is asked. */
type QueryRequest = { body: CreateVerification; strict?: boolean | undefined }

export async function resolveQuery(
  ctx: TemplateContext,
  principal: Principal,
  { body, strict }: QueryRequest,
): Promise<ResolvedQuery> {
  checkTemplateAllowed(principal, body)
  const resolved =
    body.query === undefined
      ? await resolveTemplateQuery(ctx, principal, body)
      : resolveOwnQuery(body.query, strict ?? (await readPolicies(ctx, principal)).strict_queries)
  const refusal =
    resolved.refusal ?? (await checkSealing(ctx, principal)) ?? (await checkWebhookUrl(ctx, body))
  if (refusal !== undefined) return { ...resolved, refusal }
  const warnings = [
    insecureUrlWarning('webhook_url', body.webhook_url),
    warnAboutRedirect(body),
    await warnAboutHoldBack(ctx, principal, body),
  ].filter((warning) => warning !== undefined)
  return warnings.length === 0 ? resolved : { ...resolved, warnings: [...warnings, ...resolved.warnings] }
}

/** After a restore that lost the newest key: nothing is stored unsealed instead. */
async function checkSealing(ctx: Context, principal: Principal): Promise<Refusal | undefined> {
  const keys = await getSealing(ctx, principal, principal.change_version)
  return keys?.length === 0
    ? new Refusal(
        'sealing_key_missing',
        'Results are sealed, but there is no active sealing key. Register one.',
      )
    : undefined
}

/** Only a redirect brings a code, so without one a result cannot be held back (RET-2). */
async function warnAboutHoldBack(
  ctx: Context,
  principal: Principal,
  { redirect_url }: CreateVerification,
): Promise<string | undefined> {
  if (redirect_url !== undefined) return undefined
  const { hold_back } = await readPolicies(ctx, principal)
  return hold_back
    ? 'redirect_url: missing, so hold_back does not apply: the result is shown as soon as a wallet has responded'
    : undefined
}

function readPolicies(ctx: Context, { tenant_id, change_version }: Principal) {
  return getPolicies(ctx, tenant_id, change_version)
}

/** A developer's own machine is no reason to warn. */
function warnAboutRedirect({ redirect_url = '' }: CreateVerification): string | undefined {
  const url = URL.parse(redirect_url)
  if (url?.protocol !== 'http:' || !isPublicHost(url.hostname)) return undefined
  return 'redirect_url: http is not encrypted, so anyone on the way can change the page that reads the response code: use https'
}

/** A device may use only the templates assigned to it, and no query of its own (TOKEN-4). */
function checkTemplateAllowed(principal: Principal, { template }: CreateVerification): void {
  if (principal.kind !== 'device') return
  if (template !== undefined && principal.allowed_templates.includes(template)) return
  const what = template === undefined ? 'a query of its own' : `the template ${template}`
  throw new Refusal('insufficient_scope', `This device may not use ${what}.`)
}

async function resolveTemplateQuery(
  ctx: TemplateContext,
  principal: Principal,
  { template: key = '', parameters, expected, purpose }: CreateVerification,
): Promise<ResolvedQuery> {
  const { tenant_id, change_version } = principal
  const current = await resolveTemplate(ctx, { tenant_id, key }, change_version)
  if (current === undefined) return { warnings: [], refusal: await unknownTemplate(ctx, principal, key) }
  const isAsIs = !current.asks_input && parameters === undefined && expected === undefined
  const version = isAsIs
    ? current.version
    : await bindVersion(ctx.db, current.version, { parameters, expected })
  if (version instanceof Refusal) return { warnings: [], refusal: version }
  if (principal.kind === 'device') {
    if (!principal.reads_claims)
      await requireYesNo(ctx, { key, version }, 'which the member who registered the device may not read')
    else if ((await getSealing(ctx, principal, change_version)) !== undefined)
      await requireYesNo(ctx, { key, version }, 'which are sealed to your keys')
  }
  if (principal.kind === 'client' && (await getSealing(ctx, principal, change_version)) !== undefined)
    await requireAllClear(ctx, { key, version })
  const saysWhy = purpose !== undefined || ctx.builtInTemplates.has(key)
  const [why] = saysWhy ? [] : ((await readVersion(ctx.db, version))?.purpose ?? [])
  return { template_version: version, purpose: why?.content, warnings: [] }
}

/** The template may have been changed since the device was registered, by someone who may read more. */
async function requireYesNo(
  { db }: TemplateContext,
  { key, version }: { key: string; version: Buffer },
  why: string,
): Promise<void> {
  const template = await readVersion(db, version)
  if (template === undefined || isYesNo(template)) return
  throw new Refusal(
    'insufficient_scope',
    `This device may not use the template ${key}: it shows claims, ${why}.`,
  )
}

/** The template may have been changed since the client was made. */
async function requireAllClear(
  { db }: TemplateContext,
  { key, version }: { key: string; version: Buffer },
): Promise<void> {
  const template = await readVersion(db, version)
  if (template === undefined || isAllClear(template)) return
  throw new Refusal(
    'insufficient_scope',
    `This client may not use the template ${key}: it has claims that are sealed, because clear_claims does not list them.`,
  )
}

/** The API accepts any object here: a query that no wallet can satisfy gets a warning, and is refused only if that was chosen (CREATE-5). */
function resolveOwnQuery(
  { credentials, credential_sets }: NonNullable<CreateVerification['query']>,
  strict: boolean,
): ResolvedQuery {
  const query: AnyQuery = { credentials, ...(credential_sets !== undefined && { credential_sets }) }
  const [excess] = checkBounds(query)
  if (excess !== undefined) throw new Refusal('invalid_request', `${excess.place}: ${excess.rule}`)
  const completed = completeQuery(query)
  const mistakes = [...findOmissions(query), ...checkQuery(completed)].map(describeViolation)
  const warnings = [...mistakes, ...findQueryWarnings(completed).map(describeViolation)]
  if (!strict || mistakes.length === 0) return { query: completed, warnings }
  const message = boundWarnings({ warnings: mistakes }).warnings.map((mistake) => `${mistake}.`)
  return { query: completed, warnings, refusal: new Refusal('invalid_request', message.join(' ')) }
}

/** Warnings as they are sent, stored and shown: a few short texts in ASCII, none of which contains what separates them in the header. */
export function boundWarnings<Resolved extends Pick<ResolvedQuery, 'warnings'>>(
  resolved: Resolved,
): Resolved {
  const { warnings } = resolved
  if (warnings.length === 0) return resolved
  const texts = warnings.map((text) =>
    text
      .slice(0, maxWarning_characters)
      .replaceAll(/[^ -~]/g, '?')
      .replaceAll('; ', ', '),
  )
  const bounded =
    texts.length > maxWarnings ? [...texts.slice(0, maxWarnings - 1), 'further warnings are left out'] : texts
  return { ...resolved, warnings: bounded }
}

function describeViolation({ place, rule }: Violation): string {
  return `${place}: ${rule}`
}

async function checkWebhookUrl(
  ctx: Context,
  { webhook_url }: CreateVerification,
): Promise<Refusal | undefined> {
  return webhook_url === undefined ? undefined : checkReceiverUrl(ctx, webhook_url, 'webhook_url')
}
