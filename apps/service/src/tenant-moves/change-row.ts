import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { mailUse } from '../mail/content.ts'
import { alertSecretUse } from '../notifications/webhook/secret.ts'
import { subjectKeyUse } from '../openid-provider/issuer/ensure-issuer.ts'
import { signingKeyUse } from '../openid-provider/issuer/make-keys.ts'
import { carrySeed } from '../platform/keyring/derive-bytes.ts'
import type { Keyring } from '../platform/keyring/open.ts'
import { certificateKeyUse } from '../trust/identity/open-identity.ts'
import { webhookSecretUse } from '../webhooks/secrets/seal-secret.ts'

export type Cells = {
  source: Pick<Context, 'config' | 'keyring'>
  target: Pick<Context, 'config' | 'keyring'>
}
type Row = Record<string, unknown>

/** What the sealed columns of a table are sealed for. */
const sealUses: Readonly<Record<string, { use: string; columns: readonly string[] }>> = {
  access_certificates: { use: certificateKeyUse, columns: ['sealed_key'] },
  alert_webhooks: { use: alertSecretUse, columns: ['sealed', 'previous_sealed'] },
  mail_queue: { use: mailUse, columns: ['sealed'] },
  openid_issuers: { use: subjectKeyUse, columns: ['sealed'] },
  openid_keys: { use: signingKeyUse, columns: ['sealed'] },
  webhook_endpoints: { use: webhookSecretUse, columns: ['sealed', 'previous_sealed'] },
  webhook_secrets: { use: webhookSecretUse, columns: ['sealed'] },
}

/** Whether rows of this table contain anything that depends on the cell. */
export function needsChange(table: string): boolean {
  return table in sealUses || table in otherChanges
}

/** A row as JSON, for the other cell: sealed again under its ring, without what only this cell can compute. */
export async function changeRow(cells: Cells, table: string, json: string): Promise<string> {
  // Most sessions are closed and have no seed.
  if (table === 'verification_sessions' && json.includes('"seed": null')) return json
  const row = JSON.parse(json) as Row // written by to_jsonb
  const sealed = sealUses[table]
  for (const column of sealed?.columns ?? [])
    row[column] = await reseal(cells, sealed?.use ?? '', row[column] as string | null)
  return JSON.stringify({ ...row, ...otherChanges[table]?.(cells, row) })
}

async function reseal(
  { source, target }: { source: { keyring: Keyring }; target: { keyring: Keyring } },
  use: string,
  sealed: string | null,
): Promise<string | null> {
  return sealed === null
    ? null
    : toBytea(target.keyring.seal(use, await source.keyring.unseal(use, fromBytea(sealed))))
}

const otherChanges: Readonly<Record<string, (cells: Cells, row: Row) => Row>> = {
  // The other cell's log has signed nothing of this chain yet.
  audit_chains: () => ({ signed_seq: 0, signed_link: null }),
  // The hash of a code cannot be computed again: a device that waits for its code needs a new one.
  devices: () => ({ pairing_hash: toBytea(randomBytes(32)) }),
  request_log: () => ({ session_hash: null }),
  tenants: ({ source }, { hashing_cell }) => ({ hashing_cell: hashing_cell ?? source.config.CELL }),
  verification_sessions: ({ source, target }, { seed }) => ({
    seed:
      typeof seed === 'string'
        ? toBytea(
            carrySeed(fromBytea(seed), {
              from: source.keyring.derivationKey(),
              to: target.keyring.derivationKey(),
            }),
          )
        : null,
  }),
}

/** PostgreSQL's text form of bytes. */
function fromBytea(text: string): Buffer {
  return Buffer.from(text.slice(2), 'hex')
}

function toBytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes).toString('hex')}`
}
