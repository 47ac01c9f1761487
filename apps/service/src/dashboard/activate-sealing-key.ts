import type { Environment, SealingKey } from '@vidimus/contract'
import { activateSealingKey } from '../accounts/index.ts'
import type { NewAuditEntry } from '../audit/index.ts'
import { listAllowedTemplates, listDevicesWithTemplate } from '../devices/index.ts'
import { Refusal } from '../engine/basics/index.ts'
import type { Db } from '../engine/db/index.ts'
import { listClientNames } from '../holder/index.ts'
import { type TemplateContext, findDisclosingTemplate } from '../templates/index.ts'
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
      await requireNoClient(tx, of)
      await requireNoDisclosingDevice(ctx, tx, of)
    },
  })
}

async function requireNoClient(tx: Db, of: { tenant_id: string; environment: Environment }): Promise<void> {
  const names = await listClientNames(tx, { ...of, limit: maxNamed + 1 })
  if (names.length === 0) return
  throw new Refusal(
    'sealing_conflict',
    `Results cannot be sealed while OpenID clients would get their claims: ${nameSome(names)}. Delete them first.`,
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
