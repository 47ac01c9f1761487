import { findQueryWarnings, checkBounds, checkQuery, completeQuery, type Violation } from '@vidimus/protocol'
import type { CreateVerification } from '@vidimus/contract'
import type { Context } from '../../engine/context.ts'
import { type Principal, Refusal } from '../../engine/basics/index.ts'
import {
  type TemplateContext,
  findDisclosingTemplate,
  resolveTemplate,
  unknownTemplate,
} from '../../templates/index.ts'
import { getPolicies } from '../../accounts/index.ts'
import { checkReceiverUrl, insecureUrlWarning } from '../../deliveries/index.ts'

/**
 * What the wallet will be asked for: a template version or the caller's own query. A replay takes precedence over a refusal
 * found here.
 */
export type ResolvedQuery = {
  template_version?: Buffer
  query?: object
  warnings: string[]
  refusal?: Refusal
}

/** As many warnings as fit in a header; the dashboard's lint shows them all. */
const maxWarnings = 8

export async function resolveQuery(
  ctx: TemplateContext,
  principal: Principal,
  body: CreateVerification,
): Promise<ResolvedQuery> {
  checkTemplateAllowed(principal, body)
  const resolved =
    body.query === undefined
      ? await resolveTemplateQuery(ctx, principal, body.template ?? '')
      : resolveOwnQuery(body.query)
  const refusal = resolved.refusal ?? (await checkWebhookUrl(ctx, body))
  if (refusal !== undefined) return { ...resolved, refusal }
  const warnings = [
    insecureUrlWarning('webhook_url', body.webhook_url),
    await warnAboutHoldBack(ctx, principal, body),
  ].filter((warning) => warning !== undefined)
  return warnings.length === 0 ? resolved : { ...resolved, warnings: [...warnings, ...resolved.warnings] }
}

/** Only a redirect brings a code, so without one a result cannot be held back (RET-2). */
async function warnAboutHoldBack(
  ctx: Context,
  { tenant_id, change_version }: Principal,
  { redirect_url }: CreateVerification,
): Promise<string | undefined> {
  if (redirect_url !== undefined) return undefined
  const { hold_back } = await getPolicies(ctx, tenant_id, change_version)
  return hold_back
    ? 'redirect_url: missing, so hold_back does not apply: the result is shown as soon as a wallet has responded'
    : undefined
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
  key: string,
): Promise<ResolvedQuery> {
  const { tenant_id, change_version } = principal
  if (principal.kind === 'device' && !principal.reads_claims) await requireYesNo(ctx, principal, key)
  const version = await resolveTemplate(ctx, { tenant_id, key }, change_version)
  if (version !== undefined) return { template_version: version, warnings: [] }
  return { warnings: [], refusal: await unknownTemplate(ctx, principal, key) }
}

/** The template may have been changed since the device was registered, by someone who may read more. */
async function requireYesNo(
  ctx: TemplateContext,
  { tenant_id, change_version }: Principal,
  key: string,
): Promise<void> {
  if ((await findDisclosingTemplate(ctx, { tenant_id, keys: [key] }, change_version)) === undefined) return
  throw new Refusal(
    'insufficient_scope',
    `This device may not use the template ${key}: it shows claims, which the member who registered the device may not read.`,
  )
}

/** The API accepts any object here: a query that no wallet can satisfy gets a warning, not a refusal (CREATE-5). */
function resolveOwnQuery({
  credentials,
  credential_sets,
}: NonNullable<CreateVerification['query']>): ResolvedQuery {
  const query = { credentials, ...(credential_sets !== undefined && { credential_sets }) }
  const [excess] = checkBounds(query)
  if (excess !== undefined) throw new Refusal('invalid_request', `${excess.place}: ${excess.rule}`)
  const completed = completeQuery(query)
  const violations = [...checkQuery(completed), ...findQueryWarnings(completed)]
  return { query: completed, warnings: violations.slice(0, maxWarnings).map(describeViolation) }
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
