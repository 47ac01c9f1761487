import { useQuery } from '@tanstack/react-query'
import { sealing } from '@vidimus/sdk'
import type { RevealedClaims } from '@vidimus/contract'
import { listKeys } from '../sealing/key-store.ts'

/** What was revealed, opened with the keys of this browser if it is sealed. Nothing of it leaves the page. */
export function useOpenedClaims(
  id: string,
  revealed: RevealedClaims | undefined,
): { claims: Record<string, unknown> | undefined; sealed: boolean; error: Error | null } {
  const sealed = revealed?.claims?.['_sealed'] !== undefined
  const opened = useQuery({
    queryKey: ['openedClaims', id],
    queryFn: async () => (await sealing.openResult({ id, ...revealed }, await listKeys())).claims ?? {},
    enabled: sealed,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!sealed) return { claims: revealed?.claims, sealed, error: null }
  const { _sealed, ...clear } = revealed.claims ?? {}
  // Without a key, what the template leaves readable is still shown.
  const claims = opened.data ?? (opened.error !== null && Object.keys(clear).length > 0 ? clear : undefined)
  return { claims, sealed, error: opened.error }
}
