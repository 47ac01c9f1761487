/** One bound of the service. Its value is imported from the code, so the table cannot state another one. */
export type Limit = {
  /** What is bounded, in words. */
  what: string
  value: number
  /** `bytes` and `ms` are shown in the largest unit that divides them; any other unit is shown as written. */
  unit: string
  /** Who shares this bound: a request, a connection, an address, a member, a tenant, a process. */
  per: string
  /** What a caller sees beyond it. */
  beyond: string
  /** The exported constant, `object.member` where it is a member of one. */
  name: string
  /** The file that exports it. */
  file: string
}

export type LimitGroup = { title: string; limits: readonly Limit[] }
