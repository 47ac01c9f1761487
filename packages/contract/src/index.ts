export { isText, text } from './text.ts'
export { ErrorEnvelope } from './errors.ts'
export { errorCodes, type ErrorCode, type ShownErrorCode } from './vocabulary/error-codes.ts'
export { environments, managementScopes, scopes, Scope, type Environment } from './scopes.ts'
export {
  CredentialResult,
  Erasure,
  Finding,
  StatusName,
  type StoredMember,
  Verification,
  VerificationList,
  VerificationStatus,
} from './verifications.ts'
export {
  CreateVerification,
  IdempotencyKey,
  ListVerifications,
  RedeemResponseCode,
} from './verification-requests.ts'
export {
  ChangeDevice,
  Device,
  DeviceList,
  DeviceStatus,
  EnrollDevice,
  RefreshDeviceToken,
  RegisterDevice,
  RegisteredDevice,
  RenewPairingCode,
  TokenPair,
} from './devices.ts'
export {
  HolderCancellation,
  HolderCodeEvent,
  HolderLanguage,
  HolderOutcome,
  HolderPhase,
  HolderPhaseEvent,
  HolderReason,
  HolderVerification,
} from './holder.ts'
export { AppliedConfig, ConfigChange, maxConfigEntries, TenantConfig } from './config.ts'
export { postmanCollection } from './reference/postman.ts'
export {
  builtInTemplateNames,
  builtInTemplates,
  type BuiltInTemplateName,
} from './vocabulary/built-in-templates.ts'
export { failureCodes } from './vocabulary/failure-codes.ts'
export { CheckPin, ComparePhoto, PhotoComparison, PinCheck, TillSettings } from './till.ts'
export { UsableTemplate, UsableTemplateList } from './templates.ts'
export { Usage } from './usage.ts'
export { PresentFromReader, ReaderRequest, RequestFromReader } from './reader.ts'
export { DcRequests, WalletRedirect, WalletForm } from './wallet.ts'
export { ecosystems, type EcosystemName } from './vocabulary/ecosystems.ts'
export { Alert, AlertPayload } from './alerts.ts'
export {
  alertKinds,
  mailKinds,
  type AlertDetails,
  type AlertKind,
  type MailKind,
} from './vocabulary/alert-kinds.ts'
export { ErasurePayload, TestPayload, WebhookPayload, webhooks } from './webhooks.ts'
export { deliveryErrors, type DeliveryError } from './vocabulary/delivery-errors.ts'
export {
  type ErasureEventType,
  type VerificationEventType,
  webhookEventTypes,
  webhookUrlEvents,
  type WebhookEventType,
} from './vocabulary/webhook-events.ts'
export {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  maxWebhookEndpoints,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from './webhook-endpoints.ts'
export { routes } from './routes.ts'
export type { NotFoundCode, Route } from './route.ts'
export { openapiDocument } from './openapi.ts'
export {
  accessKinds,
  may,
  mayGrantScope,
  mayHold,
  permissions,
  roles,
  type AccessKind,
  type Permission,
  type Role,
} from './dashboard/roles.ts'
export { dashboardPaths, type DashboardOperation } from './dashboard/paths.ts'
export { dashboardRoutes } from './dashboard/routes.ts'
export {
  type ManagedRoute,
  type ManagementOperation,
  findManagementRoute,
  managementRoutes,
} from './management.ts'
export type { DashboardRoute } from './dashboard/route.ts'
export type {
  AcceptWithPasskey,
  AddPasskey,
  Confirmation,
  FinishPasskeySignIn,
  RedirectLocation,
  Invitation,
  Me,
  Passkey,
  PasskeyOptions,
  RequestSignUp,
  SignInMethods,
  StartAcceptance,
  StartOidc,
} from './dashboard/sign-in.ts'
export type {
  AlertChoices,
  AlertList,
  AlertWebhook,
  AlertWebhookState,
  ChangeAlertChoices,
} from './dashboard/alerts.ts'
export type { DayFigures, FigureCounts, FigureQuery, Figures } from './dashboard/figures.ts'
export type { GoLive, Overview, OverviewWarning } from './dashboard/overview.ts'
export { keyLifetimes, keyOverlaps_seconds } from './dashboard/keys.ts'
export type { CreatedKey, CreateKey, Key, KeyList, RollKey } from './dashboard/keys.ts'
export type {
  DeliveryAttempt,
  DeliveryDetail,
  DeliveryEvent,
  DeliveryList,
  ForwardedEvent,
  ListDeliveries,
  DeliveryPayload,
  FailedResend,
  LatestResend,
  ResendFailed,
  TestEventResult,
  WebhookSecret,
  WebhookSecretState,
} from './dashboard/webhooks.ts'
export type { ListDevices, DashboardDevice, DevicePage, PairingOffer } from './dashboard/devices.ts'
export {
  clientAuthentications,
  idTokenAlgorithms,
  clientSecretOverlaps_seconds,
  ChangeOpenIdClient,
  maxClientTemplates,
  maxOpenIdClients,
  maxRedirectUris,
  OpenIdClientInput,
  RollClientSecret,
  templateScopePrefix,
  type ClientAuthentication,
  type CreatedOpenIdClient,
  type IdTokenAlgorithm,
  type OpenIdClient,
  type OpenIdClientList,
} from './dashboard/openid-clients.ts'
export type {
  CreatedTestVerification,
  CreateTestVerification,
  ExportVerifications,
  FilterVerifications,
  VerificationSummary,
  VerificationPage,
  MaskedCredential,
  TimelineEntry,
  PersonaList,
  RevealedClaims,
  VerificationDetail,
} from './dashboard/verifications.ts'
export {
  maxReceipts,
  maxReportChanges,
  maxReportDays,
  reportSample,
  Receipt,
  type ListReceipts,
  type ReceiptPage,
  type Report,
  type ReportPeriod,
} from './dashboard/receipts.ts'
export type {
  ErasureRequest,
  ErasureRequestPage,
  HolderErasure,
  ListErasureRequests,
} from './dashboard/erasure-requests.ts'
export {
  maxRetiredSealingKeys,
  maxCountedSealedResults,
  maxSealingKeys,
  sealingChallenge_seconds,
  PublicJwk,
  RegisteredSealingKey,
  SealedText,
  SealingKey,
  SealingKeyList,
  type RegisterSealingKey,
} from './dashboard/sealing.ts'
export {
  ChangeVerificationLink,
  CreateVerificationLink,
  defaultDailyLimits,
  linkMetadataNames,
  LinkRef,
  maxVerificationLinks,
  type LinkState,
  type ListVerificationLinks,
  type VerificationLink,
  type VerificationLinkPage,
} from './dashboard/links.ts'
export { Lint } from './dashboard/templates.ts'
export type {
  LintList,
  TemplateSummary,
  TemplateList,
  PutTemplateResult,
  TemplateDetail,
  TemplateTrial,
  TryTemplate,
} from './dashboard/templates.ts'
export { registrationFindings, type RegistrationFindingCode } from './vocabulary/registration-findings.ts'
export {
  maxRegistrationCertificate_characters,
  maxRegistrationDataset_characters,
  registrationEncodings,
  registrationPolicies,
} from './dashboard/registrations.ts'
export type {
  AddRegistration,
  ChangeRegistration,
  RegisteredUse,
  Registration,
  RegistrationDetail,
  RegistrationEncoding,
  RegistrationFinding,
  RegistrationInput,
  RegistrationList,
  RegistrationPolicy,
  RegistrationPreview,
  RegistrationSettings,
  TemplateRegistration,
} from './dashboard/registrations.ts'
export {
  accessActions,
  auditActions,
  type AccessAction,
  type AuditAction,
} from './vocabulary/audit-actions.ts'
export type { AuditEntry, AuditKey, AuditList, FilterAudit } from './dashboard/audit.ts'
export { AccessDecisions } from './dashboard/team.ts'
export type {
  AccessItem,
  ChangedTeam,
  ChangeRole,
  InviteMember,
  Member,
  NewInvitation,
  PendingInvitation,
  Team,
} from './dashboard/team.ts'
export type {
  Brand,
  ChangeHolderPage,
  ChangePolicies,
  HolderPageSettings,
  PolicySettings,
  Settings,
} from './dashboard/settings.ts'
export type {
  AccessCertificate,
  ChangeIdentity,
  EcosystemIdentity,
  ServiceAnchors,
  TenantTrust,
  TrustAnchor,
  TrustListState,
} from './dashboard/trust.ts'
export { FilterRequests, RequestPage } from './dashboard/requests.ts'
export type { ChangeRequestLog, LoggedRequest, RequestLogSettings } from './dashboard/requests.ts'
export { maxFoundOfKind, type SearchResults } from './dashboard/search.ts'
export { isAppOrigin, isLocalOrigin, maxPageOrigins, PageOrigins } from './page-origin.ts'
export { TimeZone } from './time-zone.ts'
export { isHttpsLink, maxWalletLinks, WalletLinks } from './wallet-link.ts'
export { topics, type ChangeEvent, type Topic } from './dashboard/events.ts'
export { Email, mailAddress } from './dashboard/values.ts'
export { operatorPaths, type OperatorOperation } from './operator/paths.ts'
export {
  mayHoldOperatorRole,
  operatorMay,
  operatorPermissions,
  operatorRoles,
  type OperatorPermission,
  type OperatorRole,
} from './operator/roles.ts'
export { operatorRoutes } from './operator/routes.ts'
export type { OperatorRoute } from './operator/route.ts'
export type {
  AcceptOperatorInvitation,
  AddOperator,
  CreatedOperatorToken,
  CreateOperatorToken,
  NewOperatorInvitation,
  OperatorAccount,
  OperatorInvitation,
  OperatorList,
  OperatorMe,
  OperatorSignInMethods,
  OperatorToken,
  OperatorTokenList,
} from './operator/sign-in.ts'
export type {
  AttentionKind,
  CreatedOperatorTenant,
  CreateOperatorTenant,
  FoundById,
  FoundVerification,
  InvitedOwner,
  ListOperatorTenants,
  OperatorPlan,
  OperatorPlanList,
  OperatorTenant,
  OperatorTenantDetail,
  OperatorTenantList,
  TenantAttention,
  TenantAttentionList,
} from './operator/tenants.ts'
export { UsageDayPayload } from './operator/billing.ts'
export type { ListSignUps, SignedUp, SignUpList } from './operator/sign-ups.ts'
export type { SupportAccess, SupportState } from './dashboard/support.ts'
export type { SupportDelivery, SupportVerification, SupportVerificationDetail } from './operator/support.ts'
export type {
  ExportUsage,
  Health,
  ListOperatorUsage,
  LogVerification,
  OperatorUsage,
  UsageRow,
} from './operator/installation.ts'
