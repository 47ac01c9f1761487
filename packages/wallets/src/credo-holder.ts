import { MdocRecord, SdJwtVcRecord, type Agent } from '@credo-ts/core'
import { generateSigningKey, type Issuer, type SigningKey } from '@vidimus/sandbox'
import { openCredoAgent, type AgentOptions } from './credo-agent.ts'
import { issueMdl } from './mdoc-library.ts'
import { issueSdJwtVc } from './sd-jwt-library.ts'

export type HolderOptions = AgentOptions & { issuer: Issuer; now: Date }

/** A holder with the Credo framework, owning a PID (SD-JWT VC) and a driving licence (mdoc). */
export async function openCredoHolder({ issuer, now, ...options }: HolderOptions) {
  const agent = await openCredoAgent(options)
  const key = generateSigningKey()
  const kmsKeyId = await importKey(agent, key)
  await agent.sdJwtVc.store({
    record: new SdJwtVcRecord({
      credentialInstances: [{ compactSdJwtVc: await issueSdJwtVc(issuer, key, now), kmsKeyId }],
    }),
  })
  const mdl = await issueMdl(issuer, key, now)
  await agent.mdoc.store({
    record: new MdocRecord({
      credentialInstances: [{ issuerSignedBase64Url: mdl.encodedForOid4Vci, kmsKeyId }],
    }),
  })
  return {
    /** Answers a request with whatever Credo itself selects for it. */
    async answer(walletUri: string) {
      const { holder } = agent.openid4vc
      const { authorizationRequestPayload, dcql } =
        await holder.resolveOpenId4VpAuthorizationRequest(walletUri)
      if (dcql === undefined) throw new Error('the request has no query')
      const credentials = holder.selectCredentialsForDcqlRequest(dcql.queryResult)
      return holder.acceptOpenId4VpAuthorizationRequest({
        authorizationRequestPayload,
        dcql: { credentials },
      })
    },
    [Symbol.asyncDispose]: () => agent.shutdown(),
  }
}

async function importKey(agent: Agent, key: SigningKey): Promise<string> {
  const { x = '', y = '', d = '' } = key.private_key.export({ format: 'jwk' })
  const { keyId } = await agent.kms.importKey({ privateJwk: { kty: 'EC', crv: 'P-256', x, y, d } })
  return keyId
}
