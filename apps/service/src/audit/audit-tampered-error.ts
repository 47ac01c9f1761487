/** What is stored is not what was signed. Nothing more is signed until a person has looked into it. */
export class AuditTamperedError extends Error {
  override name = 'AuditTamperedError'
}
