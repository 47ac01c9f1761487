export { abandonCheckpoints } from './log/abandon-checkpoints.ts'
export type { AbandonedLog } from './log/log-store.ts'
export { advanceAudit, flushAudit } from './advance.ts'
export { type AlertEvent, listTenantsToAnnounce, takeEvents } from './alerts/events.ts'
export { countOpenAlerts } from './alerts/store.ts'
export { listAlerts, viewAlert } from './alerts/list-alerts.ts'
export { type RaiseAlert, raiseAlert, raiseAlertForTenants, resolveAlert } from './alerts/raise.ts'
export { reconcileAlerts, resolveOld, resolveOpen } from './alerts/reconcile.ts'
export { sweepAlerts } from './alerts/sweep.ts'
export {
  AuditTamperedError,
  type InstallationOperator,
  type NewAuditEntry,
  type Operator,
  type RecordOperation,
  appendAudit,
  byOperator,
  installationChain,
  recordsAs,
  recordsAsService,
  toAuditActor,
  toAuditActorName,
} from './append.ts'
export { dropOldTexts, readAuditLag, readAuditQueue } from './chain/sequence.ts'
export { eraseTenantTexts } from './erase-tenant-texts.ts'
export { followAudit } from './follow.ts'
export { type ListAudit, listAudit } from './listing/list-audit.ts'
export { describeCheckpoint, requireCheckpointFolder } from './log/checkpoint-folder.ts'
export { getAuditKey } from './log/open-log.ts'
export { rotateAuditKey } from './log/rotate-key.ts'
export {
  type MailContent,
  enqueueInvitationMail,
  enqueueMemberMail,
  enqueueSignUpMail,
  mailHost,
  sweepMailRoom,
  takeSignUpMail,
  unsealContent,
} from './mail/enqueue-mail.ts'
export { type InvitationMail, listInvitationMails } from './mail/list-invitation-mails.ts'
export { recordMail } from './mail/store.ts'
export { exportChain } from './verify/export.ts'
export { type HeadTrees, newHeadTrees, proveContinuation, proveEntry, proveReceipt } from './verify/prove.ts'
export {
  type LogVerification,
  type TenantVerification,
  verifyEverything,
  verifyInstallationLog,
  verifyTenant,
} from './verify/verify.ts'
