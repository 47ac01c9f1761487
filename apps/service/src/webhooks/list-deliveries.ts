import type { Environment } from '@vidimus/contract'
import type { Context } from '../context.ts'
import { readDeliveries, type Delivery } from './store.ts'

export type { Delivery }

export type ListDeliveries = {
  tenant_id: string
  environment: Environment
  /** Of one verification only. */
  session_id?: string
  /** Attempts made earlier than this. */
  before?: string
  /** 1-100. */
  limit: number
}

/** A tenant's delivery log: every attempt that was made, newest first (HOOK-7). */
export async function listDeliveries(
  { db }: Pick<Context, 'db'>,
  wanted: ListDeliveries,
): Promise<Delivery[]> {
  return readDeliveries(db, wanted)
}
