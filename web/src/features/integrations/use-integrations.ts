import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { integrations } from '#contract/endpoints/integrations.ts'
import type { WebhookEvent } from '#contract/entities/webhook.ts'
import { t } from '#contract/texts/t.ts'
import { messageOf } from '../../shared/api/api-error.ts'
import { call } from '../../shared/api/client.ts'
import { toastError } from '../../shared/toast.tsx'

const queryKeys = {
  keys: ['api-keys'],
  webhooks: ['webhooks'],
  deliveries: (webhookId: string) => ['webhooks', webhookId, 'deliveries'],
}

/** How often an open log is refetched, since deliveries happen in the background. */
const logIntervalMs = 5000

export function useApiKeys() {
  return useQuery({ queryKey: queryKeys.keys, queryFn: async () => (await call(integrations.listKeys)).keys })
}

export function useWebhooks() {
  return useQuery({
    queryKey: queryKeys.webhooks,
    queryFn: async () => (await call(integrations.listWebhooks)).webhooks,
  })
}

export function useDeliveries(webhookId: string) {
  return useQuery({
    queryKey: queryKeys.deliveries(webhookId),
    queryFn: async () => (await call(integrations.listDeliveries, { params: { id: webhookId } })).deliveries,
    refetchInterval: logIntervalMs,
  })
}

/** Returns functions that refetch keys and webhooks after a change. */
export function useRefreshIntegrations() {
  const client = useQueryClient()
  return {
    refreshKeys: () => client.invalidateQueries({ queryKey: queryKeys.keys }),
    /** Including the logs. */
    refreshWebhooks: () => client.invalidateQueries({ queryKey: queryKeys.webhooks }),
  }
}

export interface WebhookValues {
  url: string
  events: WebhookEvent[]
}

/** Returns the actions on a webhook that need no form. Shows failures. */
export function useWebhookActions(id: string) {
  const { refreshWebhooks } = useRefreshIntegrations()
  const options = {
    onSettled: () => refreshWebhooks(),
    onError: (error: Error) => toastError(messageOf(error, t('Network error. Please try again.'))),
  }
  const toggle = useMutation({
    ...options,
    mutationFn: (isEnabled: boolean) =>
      call(integrations.changeWebhook, { params: { id }, body: { is_enabled: isEnabled } }),
  })
  const sendTest = useMutation({ ...options, mutationFn: () => call(integrations.testWebhook, { params: { id } }) })
  const retry = useMutation({
    ...options,
    mutationFn: (deliveryId: string) => call(integrations.retryDelivery, { params: { id, delivery_id: deliveryId } }),
  })
  const remove = useMutation({ ...options, mutationFn: () => call(integrations.removeWebhook, { params: { id } }) })
  return { toggle, sendTest, retry, remove }
}
