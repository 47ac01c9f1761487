import {
  type Environment,
  type SealingKey,
  maxCountedSealedResults,
  maxOpenIdClients,
} from '@vidimus/contract'
import { activateSealingKey, listSealingKeys } from '../accounts/index.ts'
import type { NewAuditEntry } from '../audit/index.ts'
import { listAllowedTemplates, listDevicesWithTemplate } from '../devices/index.ts'
import { Refusal } from '../engine/basics/index.ts'
import type { Db } from '../engine/db/index.ts'
import { listClientTemplates } from '../holder/index.ts'
import { type TemplateContext, findDisclosingTemplate, findSealableTemplate } from '../templates/index.ts'
import { countSealedTo } from '../verifications/index.ts'
import { maxNamed, nameSome } from './delete-template.ts'

type ActivateKey = { environment: Environment; kid: string; challenge: string }

/** Activates a sealing key, unless a till or an OpenID client of the environment has to read what would be sealed. */
export async function activateSealingKeyIfPossible(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  by: NewAuditEntry['by'],
  key: ActivateKey,
): Promise<SealingKey> {
  const of = { tenant_id: by.tenant_id, environment: key.environment }
  return activateSealingKey(ctx, {
    by,
    ...key,
    async requireSealable(tx) {
      await requireNoReadingClient(ctx, tx, of)
      await requireNoDisclosingDevice(ctx, tx, of)
    },
  })
}

async function requireNoReadingClient(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  tx: Db,
  of: { tenant_id: string; environment: Environment },
): Promise<void> {
  const clients = await listClientTemplates(tx, { ...of, limit: maxOpenIdClients })
  const keys = clients.flatMap(({ templates }) => templates)
  const key = await findSealableTemplate(ctx, { tenant_id: of.tenant_id, keys })
  if (key === undefined) return
  const reading = clients.filter(({ templates }) => templates.includes(key))
  throw new Refusal(
    'sealing_conflict',
    `Results cannot be sealed while OpenID clients would get the claims of ${key}: ${nameSome(reading)}. List all of them under clear_claims of the template if each is true or false, or delete the clients first.`,
  )
}

async function requireNoDisclosingDevice(
  ctx: Pick<TemplateContext, 'db' | 'builtInTemplates'>,
  tx: Db,
  of: { tenant_id: string; environment: Environment },
): Promise<void> {
  const key = await findDisclosingTemplate(ctx, { ...of, keys: await listAllowedTemplates(tx, of) })
  if (key === undefined) return
  const devices = await listDevicesWithTemplate(tx, { tenant_id: of.tenant_id, key, limit: maxNamed + 1 })
  throw new Refusal(
    'sealing_conflict',
    `Results cannot be sealed while a till shows what ${key} discloses, such as a photo: ${nameSome(devices)}. Give it templates that only answer yes or no, or revoke it.`,
  )
}

/** The keys, each with the stored results that would be lost with its private key. One after the other: each count may take some time. */
export async function listKeysWithResults(
  { db }: Pick<TemplateContext, 'db'>,
  of: { tenant_id: string; environment: Environment },
): Promise<SealingKey[]> {
  const listed: SealingKey[] = []
  for (const key of await listSealingKeys({ db }, of)) {
    const { kid, activated_at: from, retired_at: to = null } = key
    const results = from && (await countSealedTo(db, { ...of, kid, from, to }, maxCountedSealedResults))
    listed.push({ ...key, ...(results && { results }) })
  }
  return listed
}
