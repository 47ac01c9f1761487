export { isText, text } from './text.ts'
export { errorStatus, ErrorEnvelope, type ErrorCode } from './errors.ts'
export { environments, scopes, Scope, type Environment } from './scopes.ts'
export {
  CreateVerification,
  CredentialResult,
  Erasure,
  Finding,
  IdempotencyKey,
  ListVerifications,
  RedeemResponseCode,
  SessionStatus,
  Verification,
  VerificationList,
  VerificationStatus,
} from './verifications.ts'
export {
  Device,
  DeviceList,
  DeviceStatus,
  EnrollDevice,
  RefreshDeviceToken,
  RegisterDevice,
  RegisteredDevice,
  TokenPair,
} from './devices.ts'
export { Usage } from './usage.ts'
export { WalletAnswer, WalletForm } from './wallet.ts'
export { TestPayload, WebhookPayload } from './webhooks.ts'
export { routes, type Route, type UnknownCode } from './routes.ts'
export { openapiDocument } from './openapi.ts'
export { may, mayGrantScope, permissions, roles, type Permission, type Role } from './dashboard/roles.ts'
export { dashboardPaths, type DashboardOperation } from './dashboard/paths.ts'
export { dashboardRoutes } from './dashboard/routes.ts'
export type { DashboardRoute } from './dashboard/route.ts'
export type {
  AcceptWithPasskey,
  AddPasskey,
  Confirmation,
  FinishPasskeySignIn,
  GoTo,
  Invitation,
  Me,
  Passkey,
  PasskeyOptions,
  SignInWays,
  StartAcceptance,
  StartOidc,
} from './dashboard/sign-in.ts'
export type { Overview, Warning } from './dashboard/overview.ts'
export { keyLifetimes, scopeUntickedByDefault } from './dashboard/keys.ts'
export type { CreatedKey, CreateKey, Key, KeyList } from './dashboard/keys.ts'
export type {
  Delivery,
  DeliveryDetail,
  DeliveryList,
  Forward,
  ListDeliveries,
  Payload,
  SentTestEvent,
  WebhookSecret,
  WebhookSecretState,
} from './dashboard/webhooks.ts'
export type { ListDevices, ListedDevice, ListedDevices, PairingOffer } from './dashboard/devices.ts'
export type {
  CreatedTestVerification,
  CreateTestVerification,
  FilterVerifications,
  ListedVerification,
  ListedVerifications,
  MaskedCredential,
  Moment,
  PersonaList,
  RevealedClaims,
  VerificationDetail,
} from './dashboard/verifications.ts'
export { Lint } from './dashboard/templates.ts'
export type {
  Lints,
  ListedTemplate,
  ListedTemplates,
  PutTemplate,
  TemplateDetail,
  TemplateTrial,
} from './dashboard/templates.ts'
export type { AuditEntry, AuditKey, AuditList, FilterAudit } from './dashboard/audit.ts'
export type {
  ChangeRole,
  InviteMember,
  KeysDecision,
  Member,
  NewInvitation,
  PendingInvitation,
  Team,
} from './dashboard/team.ts'
export type {
  AccessCertificate,
  Brand,
  ChangeIdentity,
  ChangePolicies,
  OwnTrust,
  PolicySettings,
  Settings,
  TrustAnchor,
  TrustListState,
} from './dashboard/settings.ts'
export { topics, type ChangeEvent, type Topic } from './dashboard/events.ts'
export { Email } from './dashboard/values.ts'
