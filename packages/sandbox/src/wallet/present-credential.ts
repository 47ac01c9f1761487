import {
  applyAlterations,
  type Alter,
  type PresentationContext,
  type PresentationDrafts,
} from '../alterations.ts'
import type { Cbor } from '../cbor/encode.ts'
import { issueMdoc } from '../issuer/issue-mdoc.ts'
import { issueSdJwt } from '../issuer/issue-sd-jwt.ts'
import { generateSigningKey } from '../keys/signing-key.ts'
import type { VerificationBinding } from './authorization-request.ts'
import { presentDocument, presentMdoc } from './present-mdoc.ts'
import { presentSdJwt } from './present-sd-jwt.ts'
import type { Selection } from './select-credentials.ts'
import type { Wallet } from './wallet.ts'

export type PresentationInput = {
  wallet: Wallet
  selection: Selection
  verification: VerificationBinding
  context: Pick<PresentationContext, 'issuer' | 'now' | 'request'>
}

/** Has the selected credential issued with a new key and presents it: an entry of `vp_token`. */
export function presentCredential(input: PresentationInput): string {
  const { alter, credential, issueOptions, presentOptions } = preparePresentation(input)
  const { issuer } = input.context
  const presentation =
    credential.format === 'dc+sd-jwt'
      ? presentSdJwt(issueSdJwt(issuer, { ...issueOptions, credential }), presentOptions)
      : presentMdoc(issueMdoc(issuer, { ...issueOptions, credential }), presentOptions)
  return alter('presentation', presentation)
}

/** The same as one document of a DeviceResponse, and the alterations of its steps. Undefined if it is not an mdoc. */
export function presentAsDocument(
  input: PresentationInput,
): { document: Cbor; alter: Alter<PresentationDrafts> } | undefined {
  const { alter, credential, issueOptions, presentOptions } = preparePresentation(input)
  if (credential.format !== 'mso_mdoc') return undefined
  const issued = issueMdoc(input.context.issuer, { ...issueOptions, credential })
  return { document: presentDocument(issued, presentOptions), alter }
}

function preparePresentation({ wallet, selection, verification, context }: PresentationInput) {
  const holderKey = generateSigningKey(wallet.algorithm)
  const alter = applyAlterations<PresentationDrafts, PresentationContext>(wallet.alterations ?? {}, {
    ...context,
    query: selection.query,
    credential: selection.credential,
    holder_key: holderKey,
  })
  const credential = alter('credential', selection.credential)
  const issueOptions = { holder_key: holderKey, now: context.now, alter }
  return {
    alter,
    credential,
    issueOptions,
    presentOptions: { ...issueOptions, disclosed: selection.disclosed, verification },
  }
}
