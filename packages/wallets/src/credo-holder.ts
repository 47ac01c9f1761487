import { MdocRecord, SdJwtVcRecord, type Agent } from '@credo-ts/core'
import {
  privateJwk,
  type HeldCredential,
  type HolderOptions,
  type IndependentHolder,
  type HolderVerification,
} from './credential.ts'
import { openCredoAgent } from './credo-agent.ts'

/** The Credo framework as a wallet. It selects the credentials for a request itself. */
export const credoHolder: IndependentHolder = { name: 'Credo 0.6', open: openCredoHolder }

async function openCredoHolder(options: HolderOptions): Promise<HolderVerification> {
  const agent = await openCredoAgent(options)
  return {
    async respond(walletUri, credential) {
      const { holder } = agent.openid4vc
      const remove = await storeCredential(agent, credential)
      try {
        const { authorizationRequestPayload, dcql } =
          await holder.resolveOpenId4VpAuthorizationRequest(walletUri)
        if (dcql === undefined) throw new Error('The request has no DCQL query.')
        const result = await holder.acceptOpenId4VpAuthorizationRequest({
          authorizationRequestPayload,
          dcql: { credentials: holder.selectCredentialsForDcqlRequest(dcql.queryResult) },
        })
        return result.serverResponse?.status ?? 0
      } finally {
        await remove()
      }
    },
    [Symbol.asyncDispose]: () => agent.shutdown(),
  }
}

/** Stores the credential in the wallet and returns a function that removes it. */
async function storeCredential(
  agent: Agent,
  { format, credential, key }: HeldCredential,
): Promise<() => Promise<void>> {
  const { keyId: kmsKeyId } = await agent.kms.importKey({ privateJwk: privateJwk(key) })
  if (format === 'dc+sd-jwt') {
    const record = new SdJwtVcRecord({
      credentialInstances: [{ compactSdJwtVc: credential, kmsKeyId }],
    })
    await agent.sdJwtVc.store({ record })
    return () => agent.sdJwtVc.deleteById(record.id)
  }
  const record = new MdocRecord({ credentialInstances: [{ issuerSignedBase64Url: credential, kmsKeyId }] })
  await agent.mdoc.store({ record })
  return () => agent.mdoc.deleteById(record.id)
}
