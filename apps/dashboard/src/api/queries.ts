import {
  QueryClient,
  useMutation,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { Topic } from '@vidimus/contract'
import type { DashboardOperation } from '@vidimus/contract/dashboard-paths'
import { call, type OperationOutput, type OperationInput } from './call.ts'
import { ApiError } from './error.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refusal stays one; only what never arrived is asked again.
      retry: (failures, error) => failures < 2 && error instanceof ApiError && error.status === 0,
    },
  },
})

export function operationQuery<Op extends DashboardOperation>(op: Op, input: OperationInput<Op>) {
  return {
    queryKey: [op, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(op, input, signal),
  }
}

/** What an operation answers now, and again whenever the service says that it changed. */
export function useOperationQuery<Op extends DashboardOperation>(
  op: Op,
  input: OperationInput<Op>,
): UseQueryResult<OperationOutput<Op>> {
  return useQuery(operationQuery(op, input))
}

/** An operation that changes something, and the lists to read again after it. */
export function useOperationMutation<Op extends DashboardOperation>(
  op: Op,
  stale: readonly DashboardOperation[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: OperationInput<Op>) => call(op, input),
    onSuccess: () =>
      Promise.all(stale.map((each) => client.invalidateQueries({ queryKey: [each] }))).then(() => undefined),
  })
}

/** Which answers each topic of the service's events makes stale. */
export const operationsByTopic: Record<Topic, readonly DashboardOperation[]> = {
  verifications: ['listVerifications', 'getVerification', 'getOverview', 'getUsage'],
  deliveries: ['listDeliveries', 'getDelivery', 'getVerification', 'getOverview'],
  devices: ['listDevices', 'getOverview'],
  keys: ['listKeys', 'getOverview'],
  templates: ['listTemplates', 'getTemplate'],
  team: ['listTeam', 'getMe'],
  settings: ['getSettings', 'getWebhookSecret', 'getOverview'],
}
