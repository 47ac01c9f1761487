import { QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Client, Input, Routes } from './client.ts'
import { LocalError } from './error.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal is final; only a request that never arrived is retried.
      retry: (failures, error) => failures < 2 && error instanceof LocalError && error.code === 'unreachable',
    },
  },
})

/** The operations of an API as queries and mutations. */
export function createOperationHooks<Api extends Routes>({ call }: Client<Api>) {
  type Operation = keyof Api & string

  function operationQuery<Op extends Operation>(op: Op, input: Input<Api[Op]>) {
    return {
      queryKey: [op, input] as const,
      queryFn: ({ signal }: { signal: AbortSignal }) => call(op, input, signal),
    }
  }

  /** The result of a read operation, refetched when it is invalidated. */
  function useOperationQuery<Op extends Operation>(op: Op, input: Input<Api[Op]>) {
    return useQuery(operationQuery(op, input))
  }

  /** An operation that changes something. On success the read operations in `stale` are refetched. */
  function useOperationMutation<Op extends Operation>(op: Op, stale: readonly Operation[] = []) {
    const client = useQueryClient()
    return useMutation({
      mutationFn: (input: Input<Api[Op]>) => call(op, input),
      onSuccess: () =>
        Promise.all(stale.map((operation) => client.invalidateQueries({ queryKey: [operation] }))).then(
          () => undefined,
        ),
    })
  }

  return { operationQuery, useOperationQuery, useOperationMutation }
}
