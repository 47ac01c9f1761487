/** The stored log does not match its signature. Nothing more is signed until a person has investigated. */
export class AuditTamperedError extends Error {
  override name = 'AuditTamperedError'
}
