import { z } from 'zod'
import { fromHex, toHex } from '../bytes.ts'
import { hexHash, isoTime } from '../chain/entry-schema.ts'
import { sha256 } from '../sha256.ts'
import { checkProof, type CheckInputs } from './check-proofs.ts'
import { Proof } from './export-lines.ts'

const Finding = z.strictObject({ check: z.string(), status: z.string() })

/** What a receipt states. Later versions may add members, so others are allowed. */
export type ReceiptBody = z.infer<typeof ReceiptBody>
const ReceiptBody = z.looseObject({
  v: z.literal(1),
  id: z.string(),
  tenant_id: z.string(),
  environment: z.string(),
  template: z.strictObject({ key: z.string(), version: hexHash }).optional(),
  query_hash: hexHash.optional(),
  purpose_hash: hexHash.optional(),
  client_id: z.string(),
  registration: hexHash.optional(),
  channel: z.string(),
  status: z.enum(['completed', 'failed']),
  error_code: z.string().optional(),
  credentials: z.array(
    z.looseObject({
      format: z.string(),
      type: z.string().optional(),
      trusted: z.boolean(),
      signature_valid: z.boolean(),
      holder_binding_valid: z.boolean(),
      findings: z.array(Finding),
    }),
  ),
  result: z.union([
    z.strictObject({ sealed: z.literal(true), hash: hexHash }),
    z.strictObject({ sealed: z.literal(false) }),
  ]),
  trust_version: z.string(),
  service_version: z.string(),
  created_at: isoTime,
  responded_at: isoTime,
})

const Receipt = z.strictObject({ body: z.string(), salt: hexHash, proof: Proof })

export type ReceiptReport = {
  valid: boolean
  faults: string[]
  /** Only of a valid receipt. */
  body?: ReceiptBody
  signed_at?: string
}

/**
 * Checks a receipt with only the public key: the audit entry of the outcome commits to its text, and is in the signed log. It proves what the
 * service stated then; not that it was true, and not that the verification was not erased since.
 */
export async function checkReceipt(value: unknown, inputs: CheckInputs): Promise<ReceiptReport> {
  const read = Receipt.safeParse(value)
  if (!read.success) return refuse('the receipt is not in the format of version 1')
  const { body: text, salt, proof } = read.data
  const body = readBody(text)
  if (body === undefined) return refuse('the body is not in the format of version 1')
  const { entry } = proof
  const hash = toHex(sha256(concat(fromHex(salt), new TextEncoder().encode(text))))
  const faults = [
    ...(entry.detail?.['receipt'] === hash ? [] : ['the audit entry commits to another receipt']),
    ...(entry.action === `verification.${body.status}` ? [] : ['the audit entry has another outcome']),
    ...(entry.tenant_id === body.tenant_id ? [] : ['the audit entry belongs to another tenant']),
    ...(await checkProof(proof, inputs)),
  ]
  return faults.length > 0
    ? { valid: false, faults }
    : { valid: true, faults, body, signed_at: proof.leaf.at }
}

/** The receipts of a file: one, a page of them as the API returns it, or one on each line. Undefined if it has something else. */
export function readReceipts(text: string): unknown[] | undefined {
  const whole = parse(text)
  const found =
    whole === undefined
      ? text
          .split('\n')
          .filter((line) => line.trim() !== '')
          .map(parse)
      : [whole]
  const [first] = found
  if (!isObject(first)) return undefined
  if ('salt' in first) return found
  return found.length === 1 && Array.isArray(first['data']) ? (first['data'] as unknown[]) : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Several lines, or no JSON.
    return undefined
  }
}

function refuse(fault: string): ReceiptReport {
  return { valid: false, faults: [fault] }
}

function readBody(text: string): ReceiptBody | undefined {
  return ReceiptBody.safeParse(parse(text)).data
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const joined = new Uint8Array(a.length + b.length)
  joined.set(a)
  joined.set(b, a.length)
  return joined
}
