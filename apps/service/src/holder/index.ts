export { changeClient, deleteClient } from './openid-provider/clients/change-client.ts'
export { alwaysReturnsClaim, createClient } from './openid-provider/clients/create-client.ts'
export {
  listClientTemplates,
  listClients,
  listClientsWithTemplate,
  nameClients,
} from './openid-provider/clients/list-clients.ts'
export {
  madeClients,
  endedClientSecrets,
  endedClients,
  endedRedirectUris,
} from './openid-provider/clients/client-access.ts'
export { rotateSigningKeys } from './openid-provider/issuer/rotate-keys.ts'
export { endedLinks, endedLinkUses } from './links/link-access.ts'
export { listLinksWithTemplate } from './links/list-links.ts'
export { mailLinkResults } from './links/mail-results.ts'
export { recordLinkUses, sweepLinks } from './links/sweep-links.ts'
export { sweepAuthorizations } from './openid-provider/sweep.ts'
export { readWallets } from './page/read-wallets.ts'
export { dcUri, readVerificationUri } from './sandbox/respond.ts'
