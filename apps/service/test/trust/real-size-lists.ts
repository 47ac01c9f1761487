import {
  createAuthority,
  createListOperator,
  generateSigningKey,
  trustedListPurpose,
  trustedListType,
  validityAround,
  vicalPurpose,
  writeTrustedList,
  writeVical,
} from '@vidimus/sandbox'
import { startReceiver } from '../network/receiver.ts'
import { joinPem } from './authorities.ts'
import { replyBytes } from './status-issuer.ts'
import { listType, newListOperator, pidIssuance, writeTrustList } from './trust-list.ts'

/** How many authorities the lists name, as published ones do; the XML list has 5 MB. */
export const realSizes = { vical: 45, lote: 3000, xml: 3000, xml_requested: 300 }

const mdl = 'org.iso.18013.5.1.mDL'
const qeaa = 'http://uri.etsi.org/TrstSvc/Svctype/EAA/Q'
const otherType = 'http://uri.etsi.org/TrstSvc/Svctype/TSA/QTST'
const day_ms = 86_400_000

/**
 * Three lists of real size on real servers: a VICAL, a list of trusted entities and an XML list. `publish` replaces each with one that has
 * another number and one other entry.
 */
export async function startRealSizeLists() {
  const now = new Date()
  const key = generateSigningKey()
  const makeRoot = (name: string) =>
    createAuthority({
      ...validityAround(now, 30, 365),
      name: { country: 'UT', common_name: name },
      key,
      path_length: 0,
    }).certificate
  const roots = Array.from({ length: realSizes.lote - 1 }, (_, index) => makeRoot(`Authority ${index}`))
  const operators = {
    vical: createListOperator({ name: 'VICAL Provider', now, purpose: vicalPurpose }),
    lote: newListOperator('List Operator'),
    xml: createListOperator({ name: 'Operator', now, purpose: trustedListPurpose }),
  }
  const next_update = new Date(now.getTime() + day_ms)
  const none: Uint8Array = new Uint8Array()
  const bodies = { vical: none, lote: none, xml: none }
  const servers = {
    vical: await startReceiver((socket, request) => replyBytes(bodies.vical)(socket, request)),
    lote: await startReceiver((socket, request) => replyBytes(bodies.lote)(socket, request)),
    xml: await startReceiver((socket, request) => replyBytes(bodies.xml)(socket, request)),
  }
  const environment = 'test'
  return {
    bodies,
    /** For TRUST_LISTS_FILE. */
    settings: [
      {
        format: 'vical',
        url: servers.vical.url,
        environment,
        signers: joinPem(operators.vical.authority.certificate),
      },
      {
        url: servers.lote.url,
        environment,
        type: listType,
        services: [{ service_type: pidIssuance }],
        signers: joinPem(operators.lote.authority.certificate),
      },
      {
        format: 'xml',
        url: servers.xml.url,
        environment,
        type: trustedListType,
        services: [{ service_type: qeaa, document_types: ['urn:diploma'] }],
        signers: joinPem(operators.xml.authority.certificate),
      },
    ],
    publish(number: number) {
      const certificates = [makeRoot(`New ${number}`), ...roots]
      bodies.vical = writeVical(operators.vical, {
        date: now,
        next_update,
        issue_id: number,
        entries: certificates
          .slice(0, realSizes.vical)
          .map((certificate) => ({ certificate, document_types: [mdl] })),
      })
      const token = writeTrustList(operators.lote, {
        sequence_number: number,
        issued_at: now.getTime() / 1000,
        next_update: next_update.getTime() / 1000,
        services: { [pidIssuance]: certificates },
      })
      bodies.lote = Buffer.from(token)
      const xml = writeTrustedList(operators.xml, {
        sequence_number: number,
        issued_at: now,
        next_update,
        providers: certificates.map((certificate, index) => ({
          name: `Provider ${index}`,
          services: [
            { type: index < realSizes.xml_requested ? qeaa : otherType, certificates: [certificate] },
          ],
        })),
      })
      bodies.xml = Buffer.from(xml)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(servers).map((server) => server[Symbol.asyncDispose]()))
    },
  }
}
