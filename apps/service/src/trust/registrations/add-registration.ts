import { createHash } from 'node:crypto'
import {
  type AddRegistration,
  type RegistrationDetail,
  type RegistrationInput,
  type RegistrationPreview,
  maxRegistrationDataset_characters,
} from '@vidimus/contract'
import { canonicalize } from '@vidimus/evidence'
import { type JsonObject, buildVerifierInfo } from '@vidimus/protocol'
import { lockPlanLimits } from '../../accounts/index.ts'
import { type NewAuditEntry, appendAudit } from '../../audit/index.ts'
import { Refusal } from '../../engine/basics/index.ts'
import type { Db } from '../../engine/db/index.ts'
import type { TrustContext } from '../context.ts'
import { keepVerifierInfo } from '../identity/get-identity.ts'
import { checkCertificate, describeFinding, findFailure } from './check/check-certificate.ts'
import { type RegistrationContents, suggestName } from './contents.ts'
import { getRegistration, viewUse } from './list-registrations.ts'
import { countRegistrations, insertRegistration, maxRegistrations, setDefault } from './store.ts'

/**
 * Checks a registration certificate and stores it for new verifications. Refused if a check fails; warnings are stored with it. A
 * tenant's first registration is its default.
 */
export async function addRegistration(
  ctx: TrustContext,
  { by, name, default: asDefault = false, ...input }: AddRegistration & { by: NewAuditEntry['by'] },
): Promise<RegistrationDetail> {
  const { tenant_id } = by
  const { token, dataset } = readInput(input)
  const { findings, contents } = await checkCertificate(ctx, { tenant_id, token, dataset })
  const failure = findFailure(findings)
  if (contents === undefined || failure !== undefined)
    throw new Refusal(
      'registration_not_accepted',
      `The registration was not accepted. ${failure === undefined ? 'It cannot be read' : describeFinding(failure)}.`,
    )

  const fingerprint = computeTokenFingerprint(token)
  const id = await ctx.db.transaction(async (tx) => {
    if ((await lockPlanLimits(tx, tenant_id)) === undefined)
      throw new Refusal('not_found', `There is no tenant ${tenant_id}.`)
    const others = await countRegistrations(tx, tenant_id)
    if (others >= maxRegistrations)
      throw new Refusal('too_many', `A tenant can have at most ${maxRegistrations} registrations.`)
    const inserted = await insertRegistration(tx, {
      tenant_id,
      name: name ?? suggestName(contents),
      token,
      fingerprint,
      contents,
      dataset: dataset ?? null,
      ...(await keepBothEncodings(tx, { token, contents, dataset })),
      findings,
      expires_at: contents.expires_at ?? null,
    })
    if (inserted === undefined)
      throw new Refusal('registration_exists', 'The tenant has this registration already.')
    const is_default = asDefault || others === 0
    if (is_default) await setDefault(tx, { tenant_id, id: inserted })
    await appendAudit(tx, {
      action: 'registration.added',
      by,
      subject: inserted,
      detail: {
        fingerprint: fingerprint.toString('hex'),
        default: is_default,
        findings: findings.map(({ code }) => code),
      },
    })
    return inserted
  })
  return getRegistration(ctx, { tenant_id, id })
}

function computeTokenFingerprint(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** A registration as it is stored, whichever way it was written, and the fingerprint that a tenant has it once by. */
export function normaliseRegistration(input: RegistrationInput): RegistrationInput & { fingerprint: string } {
  const { token, dataset } = readInput(input)
  return {
    certificate: token,
    ...(dataset !== undefined && { dataset: canonicalize(dataset) }),
    fingerprint: computeTokenFingerprint(token).toString('hex'),
  }
}

type ComposeInfo = {
  token: string
  contents: RegistrationContents
  dataset: Record<string, unknown> | undefined
}

/** Stores the `verifier_info` of a registration in both encodings, so that a change of the setting composes nothing. */
async function keepBothEncodings(
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

/** A registration certificate as a compact JWT, and the registrar's data set if there is one. */
type ReadInput = { token: string; dataset: Record<string, unknown> | undefined }

const compactJws = /^[\w-]+\.[\w-]+\.[\w-]+$/

/** Escapes that JSON may contain and PostgreSQL cannot store: U+0000 and single surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/i

/** Registrars hand out the compact JWT or base64url of it. Copying adds white space. */
function readInput({ certificate, dataset }: RegistrationInput): ReadInput {
  const text = certificate.replaceAll(/\s/g, '')
  const decoded = text.includes('.') ? text : Buffer.from(text, 'base64url').toString('latin1')
  return {
    // The check reports what is not a JWT, like everything else that is wrong with it.
    token: compactJws.test(decoded) ? decoded : text,
    dataset: dataset === undefined || dataset.trim() === '' ? undefined : readDataset(dataset),
  }
}

function readDataset(text: string): Record<string, unknown> {
  const value = text.length > maxRegistrationDataset_characters ? undefined : parseJson(text)
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    unstorable.test(JSON.stringify(value))
  )
    throw new Refusal(
      'invalid_request',
      `The data set must be a JSON object of at most ${maxRegistrationDataset_characters} characters.`,
    )
  return { ...value }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON.
    return undefined
  }
}

/** What adding a registration certificate would find. Stores nothing but the copy of its status list. */
export async function previewRegistration(
  ctx: TrustContext,
  { tenant_id, ...input }: RegistrationInput & { tenant_id: string },
): Promise<RegistrationPreview> {
  const { findings, contents } = await checkCertificate(ctx, { tenant_id, ...readInput(input) })
  return {
    accepted: contents !== undefined && findFailure(findings) === undefined,
    findings,
    ...(contents !== undefined && { use: viewUse(contents) }),
  }
}
