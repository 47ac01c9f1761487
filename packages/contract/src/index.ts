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
export { routes, type Route } from './routes.ts'
export { openapiDocument } from './openapi.ts'
