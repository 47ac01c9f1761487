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
