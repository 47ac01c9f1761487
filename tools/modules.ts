/** The modules of the service, each with those that it may import after it. ARCHITECTURE.md explains them in this order, and a test compares. */
export const modules = [
  'program',
  'operations',
  'dashboard',
  'holder',
  'verifications',
  'devices',
  'templates',
  'deliveries',
  'trust',
  'accounts',
  'audit',
  'engine',
] as const

/** Folders of what few installations use. From outside only types are imported, and the rest with `import()` where it is configured. */
export const extras = [
  'engine/keyring/hsm',
  'engine/ledger/files',
  'engine/observability/tracing',
  'operations/restore',
  'operations/tenant-moves',
] as const
