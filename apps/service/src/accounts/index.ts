export { keyAuthenticator, recordKeyUse } from './api-keys/authenticate-key.ts'
export { createKey, keyLifetimes_days, lockMaker } from './api-keys/create-key.ts'
export { listKeys, nameKeys, summarizeKeys } from './api-keys/list-keys.ts'
export { madeKeys, endedKeys } from './api-keys/key-access.ts'
export { revokeKey } from './api-keys/roll-key.ts'
export type { AccountsContext } from './context.ts'
export { inviteMember } from './members/invitations/invite.ts'
export { findRole, getLanguage, setLanguage } from './members/me.ts'
export {
  type MemberToNotify,
  changeRole,
  listMembers,
  listMembersToNotify,
  listTeam,
  nameMembers,
  removeMember,
  sweepMembers,
} from './members/team.ts'
export {
  type AccessChange,
  type MadeAccess,
  type MadeItem,
  environmentOf,
  endedInvitations,
  endedMembers,
  endedPasskeys,
  endedRoles,
  endedSessions,
} from './members/member-access.ts'
export { openProvider } from './sign-in/provider/open-provider.ts'
export { sessionAuthenticator } from './members/sessions/authenticate.ts'
export {
  erasureAddress,
  type HolderPage,
  type SetHolderPage,
  getBrand,
  getHolderPage,
  setBrand,
  setHolderPage,
} from './tenants/holder-page.ts'
export { isErasureTemplate } from './tenants/settings-store.ts'
export { listPlans, maxPlanValue, planValues, removePlan, setPlan } from './plans/plans.ts'
export { type SetTenantState, setTenantState } from './tenants/state.ts'
export { activateSealingKey } from './sealing-keys/activate-key.ts'
export { getSealing, requireUnsealed } from './sealing-keys/get-sealing.ts'
export { listSealingKeys } from './sealing-keys/list-keys.ts'
export { endedSealingKeys } from './sealing-keys/retire-key.ts'
export { showTenant } from './tenants/show-tenant.ts'
export { type DecideApproval, decideApproval, notApproved } from './tenants/approval.ts'
export { createTenant, createTenantOnce } from './tenants/create.ts'
export { type DeletedRows, deleteTenant } from './tenants/delete.ts'
export {
  type Policies,
  type Profile,
  getPolicies,
  findTenantProfile,
  getProfile,
  getTenantSettings,
  setPolicies,
} from './tenants/tenant-settings.ts'
export {
  endSupport,
  endedSupport,
  getSupportState,
  takeSupport,
  viewAsSupport,
} from './support/support-access.ts'
export { listTenants } from './tenants/list-tenants.ts'
export { getDailyQuota, setQuota, setTenantPlan } from './tenants/quota.ts'
export { lockPlanLimits } from './tenants/store.ts'
export { type UsageEntry, listUsage } from './usage/list-usage.ts'
export { countFinalUsage, deleteOldUsage, insertUsageCounts, readFinalUsage } from './usage/store.ts'
export { getUsage, listNearQuota, quotaStage } from './usage/get-usage.ts'
export { newSealedSecret, unsealSecret } from './webhook-secrets/create-secrets.ts'
export { insertSecret, readSecretState, readSecrets, retireSecrets } from './webhook-secrets/secret-store.ts'
export { findOperatorCaller } from './operators/authenticate-operator.ts'
export {
  endedOperatorInvitations,
  endedOperatorPasskeys,
  endedOperatorRoles,
  endedOperatorSessions,
  endedOperatorTokens,
  endedOperators,
} from './operators/ended-operators.ts'
export {
  addOperator,
  changeOperatorRole,
  findOperatorId,
  inviteOperator,
  listOperators,
  removeOperator,
  sweepOperators,
} from './operators/operators.ts'
export { deleteDueTenants, deleteTenantLater, deletionLoop, keepTenant } from './tenants/delete-later.ts'
export { getOperatedTenant, getTenantDetail, listOperatedTenants } from './tenants/list-operated-tenants.ts'
export {
  findTenantByExternalId,
  findTenantsById,
  readTenantNames,
  readUndecided,
} from './tenants/operator-store.ts'
