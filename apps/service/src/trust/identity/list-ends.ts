import { X509Certificate } from 'node:crypto'
import type { Context } from '../../engine/context.ts'
import { readTenantCertificatePage } from './store.ts'

/** When the access certificate that a tenant has set itself ends. */
export type CertificateEnd = { tenant_id: string; fingerprint: string; subject: string; expires_at: string }

const pageSize = 200

/** The ends of every tenant's own certificate, page by page. */
export async function* listCertificateEnds({ db }: Pick<Context, 'db'>): AsyncGenerator<CertificateEnd[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await readTenantCertificatePage(db, { after, limit: pageSize })
    yield rows.map(({ tenant_id, hash, chain }) => {
      const { subject, validToDate } = new X509Certificate(chain)
      return {
        tenant_id,
        fingerprint: hash.toString('hex'),
        subject: subject.split('\n').join(', '),
        expires_at: validToDate.toISOString().replace('Z', '000Z'),
      }
    })
    if (rows.length < pageSize) return
    after = rows.at(-1)?.tenant_id ?? after
  }
}
