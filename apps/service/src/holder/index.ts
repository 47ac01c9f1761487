export { changeClient } from './openid-provider/clients/change.ts'
export { createClient } from './openid-provider/clients/create.ts'
export { deleteClient } from './openid-provider/clients/delete.ts'
export { getClient, listClients, listClientsWithTemplate } from './openid-provider/clients/list.ts'
export { madeClients } from './openid-provider/clients/made-access.ts'
export { nameClients } from './openid-provider/clients/name-clients.ts'
export {
  revocableClientSecrets,
  revocableClients,
  revocableRedirectUris,
} from './openid-provider/clients/revocable.ts'
export { rollClientSecret } from './openid-provider/clients/roll-secret.ts'
export { rotateSigningKeys } from './openid-provider/issuer/rotate-keys.ts'
export { sweepAuthorizations } from './openid-provider/sweep.ts'
export { dcUri, readSessionUri } from './sandbox/read-session-uri.ts'
