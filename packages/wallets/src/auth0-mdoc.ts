import { createHash } from 'node:crypto'
import { DataItem, DeviceResponse, Document, parse } from '@auth0/mdl'
import { cborDecode, cborEncode } from '@auth0/mdl/lib/cbor/index.js'
import type { SigningKey } from '@vidimus/sandbox'
import { mdl, privateJwk, publicJwk, type IssueOptions } from './credential.ts'
import type { Handover } from './owf-mdoc.ts'

/** Issues with `@auth0/mdl` and its defaults: valid from now for one year. */
export async function issueWithAuth0({ issuer, holderKey }: IssueOptions): Promise<string> {
  const { key, chain } = issuer.signers.mdl
  const document = await new Document(mdl.type)
    .addIssuerNameSpace(mdl.namespace, { ...mdl.elements })
    .addDeviceKeyInfo({ deviceKey: publicJwk(holderKey) })
    .sign({
      issuerPrivateKey: privateJwk(key),
      issuerCertificate: [...chain],
      alg: 'ES256',
    })
  return cborEncode(document.prepare().get('issuerSigned')).toString('base64url')
}

/** Presents with `@auth0/mdl`. It supports only the handovers of ISO/IEC 18013-7, so the OpenID4VP 1.0 handover is passed in. */
export async function presentWithAuth0(
  credential: string,
  { client_id, nonce, response_uri, thumbprint }: Handover,
  holderKey: SigningKey,
): Promise<string> {
  const issuerSigned: unknown = cborDecode(Buffer.from(credential, 'base64url'))
  const received = new Map<string, unknown>([
    ['version', '1.0'],
    [
      'documents',
      [
        new Map<string, unknown>([
          ['docType', mdl.type],
          ['issuerSigned', issuerSigned],
        ]),
      ],
    ],
    ['status', 0],
  ])
  const info = cborEncode([client_id, nonce, Buffer.from(thumbprint), response_uri])
  const handover = ['OpenID4VPHandover', createHash('sha256').update(info).digest()]
  const response = await DeviceResponse.from(parse(cborEncode(received)))
    .usingPresentationDefinition(presentationDefinition)
    .usingSessionTranscriptBytes(cborEncode(DataItem.fromData([null, null, handover])))
    .authenticateWithSignature(privateJwk(holderKey), 'ES256')
    .sign()
  return response.encode().toString('base64url')
}

/** The library selects elements by a presentation definition, which OpenID4VP used before DCQL. */
const presentationDefinition = {
  id: 'requested',
  input_descriptors: [
    {
      id: mdl.type,
      format: { mso_mdoc: { alg: ['ES256'] } },
      constraints: {
        limit_disclosure: 'required',
        fields: mdl.requested.map((element) => ({
          path: [`$['${mdl.namespace}']['${element}']`],
          intent_to_retain: false,
        })),
      },
    },
  ],
}
