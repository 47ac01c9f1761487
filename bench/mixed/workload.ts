/** How often each operation of the ledger happens for one creation. */
export type Workload = Record<WorkloadOperation, number>
type WorkloadOperation =
  | 'create_many'
  | 'request'
  | 'response'
  | 'poll'
  | 'get'
  | 'list'
  | 'erase'
  | 'delivery'

/**
 * The workload that the capacity model assumes, and that the mixed benchmark runs: every verification is fetched by a wallet, four of
 * five are answered, the merchant gets a webhook for each answer and reads the result once, a page or till polls five times,
 * one verification in fifty is erased, and a person opens the list once for a hundred verifications.
 */
export const workload: Workload = {
  create_many: 1,
  request: 1,
  response: 0.8,
  poll: 5,
  get: 1,
  list: 0.01,
  erase: 0.02,
  delivery: 0.8,
}

/** Whether something that happens `share` times for one creation happens for the creation with this number. */
export function happens(share: number, turn: number): boolean {
  return Math.floor((turn + 1) * share) > Math.floor(turn * share)
}
