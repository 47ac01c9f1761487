import { appendAudit } from '../../audit/index.ts'
import type { Revocable } from '../../engine/ledger/index.ts'
import { readRegistrationPage, removeAssignments } from './revocable-store.ts'
import { deleteRegistration, type RegistrationKey } from './store.ts'

/** Registrations that were removed. Templates that name one, as before its removal, are given to none. */
export const revocableRegistrations: Revocable<RegistrationKey> = {
  kind: 'registration',
  readPage: readRegistrationPage,
  ledgerIds: ({ id }) => [id],
  async end(tx, key) {
    await removeAssignments(tx, key)
    await deleteRegistration(tx, key)
    await appendAudit(tx, {
      action: 'registration.removed',
      by: { kind: 'operator', tenant_id: key.tenant_id },
      subject: key.id,
      detail: { cause: 'restore' },
    })
  },
}
