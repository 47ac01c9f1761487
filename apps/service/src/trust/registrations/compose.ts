import { buildVerifierInfo, type JsonObject } from '@vidimus/protocol'
import type { Db } from '../../engine/db/index.ts'
import { keepVerifierInfo } from '../identity/keep-verifier-info.ts'
import type { RegistrationContents } from './contents.ts'

type ComposeInfo = {
  token: string
  contents: RegistrationContents
  dataset: Record<string, unknown> | undefined
}

/** Stores the `verifier_info` of a registration in both encodings, so that a change of the setting composes nothing. */
export async function keepBothEncodings(
  tx: Db,
  { token, contents, dataset }: ComposeInfo,
): Promise<{ info_base64url: Buffer; info_jwt: Buffer }> {
  // Parsed from JSON, or made of texts.
  const carried = (dataset ?? describeIntermediated(contents)) as JsonObject | undefined
  return {
    info_base64url: await keepVerifierInfo(tx, buildVerifierInfo({ token }, carried, 'base64url')),
    info_jwt: await keepVerifierInfo(tx, buildVerifierInfo({ token }, carried, 'jwt')),
  }
}

/**
 * The data set of a merchant for whom an intermediary asks and whose registrar gave none. The certificate in the request names the
 * intermediary; the data set names the merchant, its service and its intended use (ARF Topic 52, RPI_05 and RPI_06; a wallet
 * recognises an intermediary by the different identifier, ETSI TS 119 472-2 §6.3.2.2 note 2).
 */
function describeIntermediated(contents: RegistrationContents): object | undefined {
  const { intermediary, identifiers, service, registry_uri, intended_use_id, purpose, privacy_policy } =
    contents
  if (intermediary === undefined) return undefined
  return {
    identifier: identifiers[0]?.identifier,
    srvDescription: service.map(({ lang, value }) => ({ lang, content: value })),
    ...(registry_uri !== undefined && { registryURI: registry_uri }),
    ...(intended_use_id !== undefined && { intendedUseIdentifier: intended_use_id }),
    purpose: purpose.map(({ lang, value }) => ({ lang, content: value })),
    ...(privacy_policy !== undefined && { policyURI: privacy_policy }),
  }
}
