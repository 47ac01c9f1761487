import { unrequestedType } from '../issuer/create-issuer.ts'
import { createSigner, findRootName, signerDraft } from '../issuer/signer.ts'
import { statusReference } from '../issuer/status-lists.ts'
import { referToType } from '../issuer/type-metadata.ts'
import { inBoth, inSdJwt, type Fault } from './fault.ts'

/** Documents whose type is not the requested one, whatever they say (SD-JWT VC, OpenID4VP 1.0 §6.4). */
export const typeFaults: readonly Fault[] = [
  {
    name: 'type_other',
    description: 'the document is of a type that was not requested',
    expect: inBoth('credential_type'),
    expect_on: { annex_c: { outcome: 'failed', check: 'query_id' } },
    alterations: { credential: (original) => ({ ...original, type: unrequestedType[original.format] }) },
  },
  {
    name: 'type_also_known_unvouched',
    description: "aka_vcts names the requested type, but the signer's root is not trusted for it",
    expect: inSdJwt('issuer_document_type'),
    alterations: {
      signer: (_, context) =>
        createSigner(
          context.issuer.hierarchies.mobile,
          signerDraft(context.credential.document, context.issuer, context.now),
        ),
      issuer_payload: (original, { issuer, credential }) => {
        const { idx, uri } = statusReference(issuer, credential)
        const status_list = { idx, uri: uri.replace(findRootName(credential.document), 'mobile') }
        return {
          ...original,
          vct: unrequestedType['dc+sd-jwt'],
          aka_vcts: [credential.type],
          status: { status_list },
        }
      },
    },
  },
  {
    name: 'type_also_known_malformed',
    description: 'aka_vcts is not a list',
    expect: inSdJwt('credential_encoding'),
    alterations: {
      issuer_payload: (original, { credential }) => ({ ...original, aka_vcts: credential.type }),
    },
  },
  {
    name: 'type_extended_altered',
    description: 'the description of the type is not the one whose hash the document carries',
    expect: inSdJwt('credential_type'),
    alterations: {
      issuer_payload: (original, { issuer, credential }) => ({
        ...original,
        ...referToType(issuer, 'direct', credential.type),
        'vct#integrity': referToType(issuer, 'direct', 'urn:example:another')['vct#integrity'],
      }),
    },
  },
  {
    name: 'type_extended_absent',
    description: 'the description of the type cannot be fetched',
    expect: inSdJwt('credential_type'),
    alterations: {
      issuer_payload: (original, { issuer, credential }) => {
        const reference = referToType(issuer, 'direct', credential.type)
        return { ...original, ...reference, vct: reference.vct.replace('/direct/', '/absent/') }
      },
    },
  },
  {
    name: 'type_extended_unprotected',
    description: 'a description in the chain of types is named without its hash',
    expect: inSdJwt('credential_type'),
    alterations: {
      issuer_payload: (original, { issuer, credential }) => ({
        ...original,
        ...referToType(issuer, 'unprotected', credential.type),
      }),
    },
  },
  {
    name: 'type_extended_too_often',
    description: 'the type extends the requested one over ten others',
    expect: inSdJwt('credential_type'),
    alterations: {
      issuer_payload: (original, { issuer, credential }) => ({
        ...original,
        ...referToType(issuer, 'deep', credential.type),
      }),
    },
  },
  {
    name: 'type_extended_unvouched',
    description: "the type extends the requested one, but the signer's root is not trusted for that",
    expect: inSdJwt('issuer_document_type'),
    alterations: {
      signer: (_, context) =>
        createSigner(
          context.issuer.hierarchies.mobile,
          signerDraft(context.credential.document, context.issuer, context.now),
        ),
      issuer_payload: (original, { issuer, credential }) => ({
        ...original,
        ...referToType(issuer, 'direct', credential.type),
      }),
    },
  },
]
