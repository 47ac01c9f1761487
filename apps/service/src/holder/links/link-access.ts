import { appendAudit } from '../../audit/index.ts'
import type { EndedRows } from '../../engine/ledger/index.ts'
import { type LinkIdRow, deleteLinkRow, readLinkPage } from './store.ts'

/** Links that were deleted. A single use that a restore lost is not among them: its verification was lost with it. */
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
