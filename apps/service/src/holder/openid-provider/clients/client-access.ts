import type { MadeAccess } from '../../../accounts/index.ts'
import { appendAudit } from '../../../audit/index.ts'
import type { EndedRows } from '../../../engine/ledger/index.ts'
import {
  type ClientKeyRow,
  type WorkingSecretRow,
  endSecretWithDay,
  readClientPage,
  readWorkingSecretPage,
  removeRedirectUris,
} from './secret-store.ts'
import { deleteClientRow, readClientsOfMember, updateClientMaker } from './store.ts'

/** Clients with their secrets. The maker is the member who last set the secret or the redirect addresses. */
export const madeClients: MadeAccess = {
  async list(db, maker) {
    const clients = await readClientsOfMember(db, maker)
    return clients.map(({ id, name, environment }) => ({ id, name, environment }))
  },
  async end(tx, { id }, { by, cause }) {
    await deleteClientRow(tx, { tenant_id: by.tenant_id, id })
    await appendAudit(tx, { action: 'openid_client.deleted', by, subject: id, detail: { cause } })
    return [{ kind: 'openid_client', id }]
  },
  async setMaker(tx, { id }, { tenant_id, member_id }) {
    await updateClientMaker(tx, { tenant_id, id }, member_id)
  },
}

/** Clients that were deleted. */
export const endedClients: EndedRows<ClientKeyRow> = {
  kind: 'openid_client',
  readPage: readClientPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { tenant_id, id }) {
    await deleteClientRow(tx, { tenant_id, id })
    await appendAudit(tx, {
      action: 'openid_client.deleted',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { cause: 'restore' },
    })
  },
}

/** Addresses that a client no longer has: a code must not be sent there again. */
export const endedRedirectUris: EndedRows<ClientKeyRow> = {
  kind: 'openid_redirect_uri',
  readPage: readClientPage,
  ledgerIds: ({ id, redirect_uris }) => redirect_uris.map((uri) => redirectUriLedgerId(id, uri)),
  async end(tx, { tenant_id, id, redirect_uris }, ended) {
    const uris = redirect_uris.filter((uri) => ended.has(redirectUriLedgerId(id, uri)))
    await removeRedirectUris(tx, { tenant_id, id, uris })
    await appendAudit(tx, {
      action: 'openid_client.changed',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { changed: ['redirect_uris'], cause: 'restore' },
    })
  },
}

/** Secrets that were rolled: with an overlap, the entry has the day on which it ends. The newer secret is lost: a member rolls again. */
export const endedClientSecrets: EndedRows<WorkingSecretRow> = {
  kind: 'openid_client_secret',
  readPage: readWorkingSecretPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { tenant_id, client_id, id }, ended) {
    const day = ended.get(id)
    await endSecretWithDay(tx, { tenant_id, id, day })
    await appendAudit(tx, {
      action: 'openid_client.secret_rolled',
      by: { kind: 'operator', tenant_id },
      subject: client_id,
      detail: { cause: 'restore', ...(day !== undefined && { works_until: day }) },
    })
  },
}

export function redirectUriLedgerId(client_id: string, uri: string): string {
  return `${client_id} ${uri}`
}
