import { alertLimits } from './alerts.ts'
import { auditLimits } from './audit.ts'
import { configLimits } from './config.ts'
import { databaseLimits } from './database.ts'
import { findingLimits } from './finding.ts'
import { httpLimits } from './http.ts'
import { keyLimits } from './keys.ts'
import { ledgerLimits } from './ledger.ts'
import { erasureLimits } from './erasures.ts'
import { linkLimits } from './links.ts'
import type { LimitGroup } from './limit.ts'
import { memberLimits } from './members.ts'
import { openidLimits } from './openid-provider.ts'
import { operatorLimits } from './operators.ts'
import { processLimits } from './processes.ts'
import { receiptLimits } from './receipts.ts'
import { sealingLimits } from './sealing.ts'
import { streamLimits } from './streams.ts'
import { tenantMoveLimits } from './tenant-moves.ts'
import { trustLimits } from './trust.ts'
import { verificationLimits } from './verifications.ts'
import { webhookLimits } from './webhooks.ts'

/** The sections of the table, in order. A new limit gets its row in the file of its section. */
export const limitGroups: readonly LimitGroup[] = [
  { title: 'Requests and connections', limits: httpLimits },
  { title: 'Streams and downloads', limits: streamLimits },
  { title: 'Verifications and wallet responses', limits: verificationLimits },
  { title: 'Issuers, lists and revocation', limits: trustLimits },
  { title: 'Webhooks and other outbound requests', limits: webhookLimits },
  { title: 'Members, keys and devices', limits: memberLimits },
  { title: 'OpenID Connect', limits: openidLimits },
  { title: 'Verification links', limits: linkLimits },
  { title: 'Erasure by holders', limits: erasureLimits },
  { title: 'Sealed results', limits: sealingLimits },
  { title: 'Receipts and reports', limits: receiptLimits },
  { title: 'Configuration as a document', limits: configLimits },
  { title: 'Alerts and mail', limits: alertLimits },
  { title: 'Lists, request log, search and downloads', limits: findingLimits },
  { title: 'Audit log', limits: auditLimits },
  { title: 'Operators', limits: operatorLimits },
  { title: 'Moving a tenant', limits: tenantMoveLimits },
  { title: 'Database and Redis', limits: databaseLimits },
  { title: 'Processes, logs and traces', limits: processLimits },
  { title: 'Erasure ledger', limits: ledgerLimits },
  { title: 'Signing and sealing', limits: keyLimits },
]
