import { appendAudit } from '../../audit/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { type LinkIdRow, deleteLinkRow, markLinkUsed, readLinkPage, readUnusedLinkPage } from './store.ts'

/** Links that were deleted. */
export const endedLinks: EndedRows<LinkIdRow> = {
  kind: 'verification_link',
  readPage: readLinkPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, { tenant_id, id }) {
    await deleteLinkRow(tx, { tenant_id, id })
    await appendAudit(tx, {
      action: 'link.deleted',
      by: { kind: 'operator', tenant_id },
      subject: id,
      detail: { cause: 'restore' },
    })
  },
}

/** Single-use links that were used: the verification is lost, but nobody else may use the link. */
export const endedLinkUses: EndedRows<LinkIdRow> = {
  kind: 'verification_link_use',
  readPage: readUnusedLinkPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, link) {
    await markLinkUsed(tx, link)
    await appendAudit(tx, {
      action: 'link.changed',
      by: { kind: 'operator', tenant_id: link.tenant_id },
      subject: link.id,
      detail: { changed: ['used_at'], cause: 'restore' },
    })
  },
}
