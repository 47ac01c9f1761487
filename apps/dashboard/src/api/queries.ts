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

export function operationQuery<Op extends DashboardOperation>(op: Op, input: OperationInput<Op>) {
  return {
    queryKey: [op, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(op, input, signal),
  }
}

/** The result of a read operation, refetched when the service reports a change. */
export function useOperationQuery<Op extends DashboardOperation>(
  op: Op,
  input: OperationInput<Op>,
): UseQueryResult<OperationOutput<Op>> {
  return useQuery(operationQuery(op, input))
}

/** An operation that changes something. On success the read operations in `stale` are refetched. */
export function useOperationMutation<Op extends DashboardOperation>(
  op: Op,
  stale: readonly DashboardOperation[] = [],
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (input: OperationInput<Op>) => call(op, input),
    onSuccess: () =>
      Promise.all(stale.map((operation) => client.invalidateQueries({ queryKey: [operation] }))).then(
        () => undefined,
      ),
  })
}

/** The read operations that a change event of each topic invalidates. */
export const operationsByTopic: Record<Topic, readonly DashboardOperation[]> = {
  verifications: ['listVerifications', 'getVerification', 'getOverview', 'getUsage', 'listLinks', 'getLink'],
  deliveries: [
    'listWebhookEndpoints',
    'listDeliveries',
    'getDelivery',
    'getResend',
    'getVerification',
    'getOverview',
    'listAlerts',
  ],
  devices: ['listDevices', 'getOverview', 'listAlerts'],
  keys: ['listKeys', 'listOpenIdClients', 'getOverview', 'listAlerts'],
  links: ['listLinks', 'getLink'],
  templates: ['listTemplates', 'getTemplate'],
  registrations: ['listRegistrations', 'getRegistration', 'getTemplate', 'getOverview', 'listAlerts'],
  team: ['listTeam', 'getMe', 'listAlerts'],
  settings: ['getSettings', 'getWebhookSecret', 'getOverview', 'listAlerts'],
}
