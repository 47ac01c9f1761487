import type { RegisteredUse, Registration } from '@vidimus/contract'
import type { RegistrationContents } from './contents.ts'
import type { RegistrationRow } from './store.ts'

/** A registration as lists show it. */
export function viewRegistration(row: RegistrationRow): Registration {
  const { contents } = row
  const identifier = contents.identifiers[0]?.identifier
  return {
    id: row.id,
    name: row.name,
    default: row.is_default,
    state: toState(row),
    ...(identifier !== undefined && { identifier }),
    ...(contents.intended_use_id !== undefined && { intended_use: contents.intended_use_id }),
    ...(row.expires_at !== null && { expires_at: row.expires_at }),
    templates: row.templates,
    created_at: row.created_at,
    ...(row.checked_at !== null && { checked_at: row.checked_at }),
  }
}

function toState({ findings }: RegistrationRow): Registration['state'] {
  if (findings.some(({ status }) => status === 'fail')) return 'fail'
  return findings.some(({ status }) => status === 'warning') ? 'warning' : 'ok'
}

/** What a registration certificate says, as pages show it. */
export function viewUse(contents: RegistrationContents): RegisteredUse {
  const { name, legal_name, country, intermediary, intended_use_id, expires_at, issued_at } = contents
  const { registry_uri, privacy_policy, info_uri } = contents
  return {
    identifier: contents.identifiers[0]?.identifier ?? '',
    ...(name !== undefined && { name }),
    ...(legal_name !== undefined && { legal_name }),
    ...(country !== undefined && { country }),
    ...(intermediary !== undefined && { intermediary }),
    ...(intended_use_id !== undefined && { intended_use: intended_use_id }),
    purpose: contents.purpose,
    service: contents.service,
    entitlements: contents.entitlements,
    credentials: contents.credentials,
    ...(registry_uri !== undefined && { registry_uri }),
    ...(privacy_policy !== undefined && { privacy_policy }),
    ...(info_uri !== undefined && { info_uri }),
    issued_at: toTimestamp(issued_at),
    ...(expires_at !== undefined && { expires_at: toTimestamp(expires_at) }),
  }
}

/** The end of the year 9999. */
const maxSeconds = 253_402_300_799

function toTimestamp(seconds: number): string {
  return new Date(Math.min(seconds, maxSeconds) * 1000).toISOString().replace('Z', '000Z')
}
