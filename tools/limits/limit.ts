/** One limit of the service. Its value is imported from the code, so that the table cannot differ from it. */
export type Limit = {
  /** What is limited, in words. */
  what: string
  value: number
  /** `bytes` and `ms` are shown in the largest unit that divides them; any other unit is shown as written. */
  unit: string
  /** What the limit applies to: a request, a connection, an address, a member, a tenant, a process. */
  per: string
  /** What happens when the limit is exceeded. */
  whenExceeded: string
  /** The exported constant, or `object.member` for a member of one. */
  name: string
  /** The file that exports it. */
  file: string
}

export type LimitGroup = { title: string; limits: readonly Limit[] }
