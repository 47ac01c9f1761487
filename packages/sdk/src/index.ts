export type { CallOperation, OperationInput, OperationName, OperationResult } from './call-operation.ts'
export { createClient, type Client, type ClientOptions } from './client.ts'
export {
  createDeviceClient,
  type DeviceClient,
  type DeviceClientOptions,
  type DeviceState,
} from './device/client.ts'
export { indexedDbStore } from './device/indexed-db-store.ts'
export { memoryStore, type Refresh, type StoredTokens, type TokenStore } from './device/token-store.ts'
export {
  ApiError,
  ConnectionError,
  PairingError,
  SealedResultError,
  StillPendingError,
  VidimusError,
  WebhookError,
  type PairingFault,
  type SealedResultFault,
  type WebhookFault,
} from './errors.ts'
export type { ApplyConfigOptions } from './config.ts'
export { failedWith, hasTemplate, type BuiltInVerification } from './narrow.ts'
export type { ConnectOptions } from './send.ts'
export type * from './types.ts'
export type { CallOptions, CreateOptions, ListOptions, Verifications, WaitOptions } from './verifications.ts'
import { verifyWebhook } from './webhooks/verify.ts'
export type { HeaderBag, UnknownWebhookEvent, VerifyWebhook, WebhookEvent } from './webhooks/verify.ts'
export const webhooks = { verify: verifyWebhook }
import { openResult } from './sealing/open-result.ts'
import { openText } from './sealing/open-text.ts'
import { createKey, importPrivateKey } from './sealing/private-key.ts'
export type { NewSealingKey, SealingPrivateJwk, SealingPrivateKey, UsableKey } from './sealing/private-key.ts'
/** Results that only the merchant can read. */
export const sealing = { createKey, importPrivateKey, openResult, openText }
