import { z } from 'zod'
import type { PublishedRoute } from './route.ts'
import {
  ChangeWebhookEndpoint,
  CreateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointId,
  WebhookEndpointList,
  WebhookEndpointSecret,
} from './webhook-endpoints.ts'

const params = z.object({ id: WebhookEndpointId })

/** The routes with which merchants manage their webhook endpoints. */
export const webhookEndpointRoutes = {
  createWebhookEndpoint: {
    method: 'POST',
    path: '/v1/webhook_endpoints',
    summary: 'Create a webhook endpoint',
    scope: 'webhooks:manage',
    json: CreateWebhookEndpoint,
    success: {
      status: 201,
      body: WebhookEndpointSecret,
      description: 'The endpoint and its signing secret.',
    },
    refusals: ['invalid_webhook_url', 'too_many'],
  },
  listWebhookEndpoints: {
    method: 'GET',
    path: '/v1/webhook_endpoints',
    summary: 'List webhook endpoints, newest first',
    scope: 'webhooks:manage',
    success: {
      status: 200,
      body: WebhookEndpointList,
      description: 'All endpoints of the environment.',
    },
  },
  getWebhookEndpoint: {
    method: 'GET',
    path: '/v1/webhook_endpoints/{id}',
    summary: 'Get a webhook endpoint',
    scope: 'webhooks:manage',
    params,
    not_found: 'webhook_endpoint_not_found',
    success: {
      status: 200,
      body: WebhookEndpoint,
      description: 'The endpoint as it is now.',
    },
  },
  changeWebhookEndpoint: {
    method: 'PATCH',
    path: '/v1/webhook_endpoints/{id}',
    summary: 'Change, disable or enable a webhook endpoint',
    scope: 'webhooks:manage',
    params,
    not_found: 'webhook_endpoint_not_found',
    json: ChangeWebhookEndpoint,
    success: {
      status: 200,
      body: WebhookEndpoint,
      description: 'The changed endpoint. Members that were not sent stay as they are.',
    },
    refusals: ['invalid_webhook_url'],
  },
  deleteWebhookEndpoint: {
    method: 'DELETE',
    path: '/v1/webhook_endpoints/{id}',
    summary: 'Delete a webhook endpoint; what is waiting for it is not sent',
    scope: 'webhooks:manage',
    params,
    not_found: 'webhook_endpoint_not_found',
    success: {
      status: 200,
      body: WebhookEndpoint,
      description: 'The endpoint as it was.',
    },
  },
  rotateWebhookEndpointSecret: {
    method: 'POST',
    path: '/v1/webhook_endpoints/{id}/rotate_secret',
    summary: 'Give a webhook endpoint a new secret; both secrets sign for 24 hours',
    scope: 'webhooks:manage',
    params,
    not_found: 'webhook_endpoint_not_found',
    success: {
      status: 200,
      body: WebhookEndpointSecret,
      description: 'The endpoint and its new signing secret.',
    },
  },
} satisfies Record<string, PublishedRoute>
