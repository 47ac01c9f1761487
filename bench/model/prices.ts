/** List prices in euros without VAT, without discounts. */
export type Price = {
  provider: string
  /** One vCPU with 4 GB of memory for a month, as a share of a server with 8 vCPUs and 32 GB. */
  vcpu_month: number
  disk_gb_month: number
  /** A gigabyte sent to the internet. */
  out_gb: number
  source: string
}

/** The rate of the European Central Bank on 28 October 2026. */
const usdPerEuro = 1.1133

export const prices: readonly Price[] = [
  {
    provider: 'AWS, Frankfurt',
    vcpu_month: 271.46 / 8,
    disk_gb_month: 0.09394,
    out_gb: 0.09 / usdPerEuro,
    source:
      'm6a.2xlarge at €271.46 (list of 28 October 2026), gp3 at €0.09394 per GB (the example on aws.eu/ebs/pricing), traffic at $0.09 per GB (April 2026; less from 10 TB on)',
  },
  {
    provider: 'Hetzner, Germany',
    vcpu_month: 138.49 / 8,
    disk_gb_month: 0.0572,
    out_gb: 0.001,
    source:
      'CCX33 at €138.49 (list of 28 October 2026), volumes at €0.0572 per GB and traffic at €1 per TB (27 May 2026; 20 TB per server are free)',
  },
]
