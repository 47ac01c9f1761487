import type { Alterations } from '../alterations.ts'
import type { Cbor } from '../cbor/encode.ts'
import type { Format } from '../documents/credential.ts'
import type { StatusListEdits } from '../issuer/status-lists.ts'
import type { CoseDraft } from '../keys/sign-cose.ts'
import { encodeJson, type JsonObject } from '../keys/sign-jws.ts'
import type { ResponseEncryption } from '../wallet/encrypt-response.ts'
import { editInJson, editInMap, editJson, editMap, type Edit, type Label } from './edit.ts'

/** A structure whose members are added and removed, in the step in which the sandbox writes it. */
export type Structure = {
  readonly formats: readonly Format[]
  readonly edit: (edit: Edit) => { alterations?: Alterations; list_edits?: StatusListEdits }
}

const sdJwt = ['dc+sd-jwt'] as const
const mdoc = ['mso_mdoc'] as const
const bothFormats = ['dc+sd-jwt', 'mso_mdoc'] as const

export const structures = {
  issuer_jwt_header: {
    formats: sdJwt,
    edit: (edit) => ({ alterations: { issuer_header: (original) => editJson(original, edit) } }),
  },
  issuer_jwt_payload: inPayload(),
  cnf: inPayload('cnf'),
  cnf_jwk: inPayload('cnf', 'jwk'),
  status: inPayload('status'),
  status_list_reference: inPayload('status', 'status_list'),
  kb_jwt_header: {
    formats: sdJwt,
    edit: (edit) => ({ alterations: { kb_header: (original) => editJson(original, edit) } }),
  },
  kb_jwt_payload: {
    formats: sdJwt,
    edit: (edit) => ({ alterations: { kb_payload: (original) => editJson(original, edit) } }),
  },

  mso: inMso(),
  mso_validity_info: inMso('validityInfo'),
  mso_device_key_info: inMso('deviceKeyInfo'),
  mso_device_key: inMso('deviceKeyInfo', 'deviceKey'),
  mso_status: inMso('status'),
  mso_status_list_reference: inMso('status', 'status_list'),
  issuer_signed_item: {
    formats: mdoc,
    edit: (edit) => ({ alterations: { item: (original) => editMap(original, edit) } }),
  },
  issuer_auth_protected: inCoseHeader('issuer_cose', 'protected_header'),
  issuer_auth_unprotected: inCoseHeader('issuer_cose', 'unprotected_header'),
  device_signature_protected: inCoseHeader('device_cose', 'protected_header'),
  device_signature_unprotected: inCoseHeader('device_cose', 'unprotected_header'),
  device_response: {
    formats: mdoc,
    edit: (edit) => ({ alterations: { device_response: (original) => editMap(original, edit) } }),
  },
  document: inDocument(),
  issuer_signed: inDocument('issuerSigned'),
  device_signed: inDocument('deviceSigned'),

  status_list_jwt_header: {
    formats: sdJwt,
    edit: (edit) => ({ list_edits: { jwt_header: (original) => editJson(original, edit) } }),
  },
  status_list_jwt_claims: {
    formats: sdJwt,
    edit: (edit) => ({ list_edits: { jwt_claims: (original) => editJson(original, edit) } }),
  },
  status_list_jwt_list: {
    formats: sdJwt,
    edit: (edit) => ({
      list_edits: { jwt_claims: (original) => editInJson(original, ['status_list'], edit) },
    }),
  },
  status_list_cwt_header: {
    formats: mdoc,
    edit: (edit) => ({ list_edits: { cwt_header: (original) => editMap(original, edit) } }),
  },
  status_list_cwt_claims: {
    formats: mdoc,
    edit: (edit) => ({ list_edits: { cwt_claims: (original) => editMap(original, edit) } }),
  },
  status_list_cwt_list: {
    formats: mdoc,
    edit: (edit) => ({ list_edits: { cwt_claims: (original) => editInMap(original, [65533], edit) } }),
  },

  response_jwe_header: {
    formats: bothFormats,
    edit: (edit) =>
      'drop' in edit
        ? {
            alterations: { form: ({ response = '' }) => ({ response: dropFromHeader(response, edit.drop) }) },
          }
        : { alterations: { encryption: (original) => addToHeader(original, edit) } },
  },
  response_parameters: {
    formats: bothFormats,
    edit: (edit) => ({ alterations: { parameters: (original) => editJson(original, edit) } }),
  },
  response_form: {
    formats: bothFormats,
    edit: (edit) => ({
      alterations: { form: (original) => editJson(original, edit) as Record<string, string> },
    }),
  },
} as const satisfies Record<string, Structure>

export type StructureName = keyof typeof structures

function inPayload(...path: string[]): Structure {
  return {
    formats: sdJwt,
    edit: (edit) => ({ alterations: { issuer_payload: (original) => editInJson(original, path, edit) } }),
  }
}

function inMso(...path: Label[]): Structure {
  return {
    formats: mdoc,
    edit: (edit) => ({ alterations: { mso: (original) => editInMap(original, path, edit) } }),
  }
}

function inCoseHeader(
  step: 'issuer_cose' | 'device_cose',
  header: 'protected_header' | 'unprotected_header',
): Structure {
  return {
    formats: mdoc,
    edit: (edit) => ({
      alterations: {
        [step]: (original: CoseDraft) => ({ ...original, [header]: editMap(original[header], edit) }),
      },
    }),
  }
}

function inDocument(...path: Label[]): Structure {
  return {
    formats: mdoc,
    edit: (edit) => ({
      alterations: {
        device_response: (original) => {
          const documents = original.get('documents')
          const [document] = Array.isArray(documents) ? (documents as Cbor[]) : []
          return new Map<Cbor, Cbor>([...original, ['documents', [editInMap(document, path, edit)]]])
        },
      },
    }),
  }
}

/** The library copies key agreement parameters (apu, apv) into the header. */
function addToHeader(
  original: ResponseEncryption,
  { add, value }: Extract<Edit, { add: Label }>,
): ResponseEncryption {
  if (value instanceof Uint8Array) return { ...original, agreement: { [add]: value } }
  return { ...original, header: { ...original.header, [add]: value } }
}

/** The library always writes these members, so they are removed from its output. */
function dropFromHeader(jwe: string, name: Label): string {
  const [header = '', ...rest] = jwe.split('.')
  // The sandbox wrote this header, so it is a JSON object.
  const members = JSON.parse(Buffer.from(header, 'base64url').toString()) as JsonObject
  return [encodeJson(editJson(members, { drop: name })), ...rest].join('.')
}
