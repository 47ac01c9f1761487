import { z } from 'zod'
import { maxOpenIdClients, OpenIdClientInput } from './dashboard/openid-clients.ts'
import { ChangeRegistrationSettings, RegistrationInput } from './dashboard/registrations.ts'
import { Brand, ChangeHolderPage, ChangePolicies } from './dashboard/settings.ts'
import { AnchorsInput, ChangeTrustPolicy } from './dashboard/trust.ts'
import { EnvironmentName } from './dashboard/values.ts'
import type { PublishedRoute } from './route.ts'
import { text } from './text.ts'
import { Count, describe, queryBoolean, Uri } from './values.ts'
import { CreateWebhookEndpoint, maxWebhookEndpoints } from './webhook-endpoints.ts'

/** The most entries in each part of a configuration, for both environments together. */
export const maxConfigEntries = {
  anchors: 1000,
  registrations: 20,
  templates: 1000,
  webhook_endpoints: 2 * maxWebhookEndpoints,
  openid_clients: maxOpenIdClients,
}

const exampleUrl = 'https://shop.example.com/hooks/vidimus'
const examplePem = '-----BEGIN CERTIFICATE-----\nMIIB…\n-----END CERTIFICATE-----\n'
const exampleTemplate = {
  name: 'Hotel check-in',
  description: 'Name and address of the guest',
  query: { credentials: [] },
}
const exampleBrand = { display_name: 'Harbour Wines', colour: '#1a2b3c' }
const exampleConfig = { version: 1, brand: exampleBrand }

const Environment = describe(
  EnvironmentName,
  'The environment that it belongs to. A test key sees and changes only what belongs to `test`.',
  'test',
)

const ConfigAnchor = z
  .strictObject({
    environment: Environment,
    pem: describe(
      AnchorsInput.shape.pem,
      'The certificate as PEM. Several in one text become several anchors.',
      examplePem,
    ),
    role: describe(
      AnchorsInput.shape.role.unwrap().default('issuing'),
      'What it is trusted to do.',
      'issuing',
    ),
    entity: describe(AnchorsInput.shape.entity, 'Who operates it.', 'Ministry of the Interior'),
    document_types: describe(
      z
        .array(text({ min: 1, max: 200 }))
        .min(1)
        .max(100)
        .optional(),
      'The document types that it is trusted for. Absent: all types.',
      ['urn:eudi:pid:1'],
    ),
  })
  .meta({ id: 'ConfigAnchor' })

const ConfigRegistration = z
  .strictObject({
    ...RegistrationInput.shape,
    name: describe(text({ min: 1, max: 64 }), 'What you call it. Templates refer to it by this name.', 'Age'),
    default: describe(z.boolean().default(false), 'Whether other templates are asked under it.', true),
  })
  .meta({ id: 'ConfigRegistration' })

const ConfigTemplate = z
  .strictObject({
    template: describe(
      z.record(z.string(), z.unknown()).optional(),
      'The template. Absent for a built-in one that names a registration.',
      exampleTemplate,
    ),
    registration: describe(
      text({ min: 1, max: 64 }).optional(),
      'The name of the registration that it is asked under, or the SHA-256 of its certificate if several have that name. Absent: the default.',
      'Age',
    ),
  })
  .meta({ id: 'ConfigTemplate' })

const ConfigWebhookEndpoint = z
  .strictObject({ environment: Environment, ...CreateWebhookEndpoint.shape })
  .meta({ id: 'ConfigWebhookEndpoint' })

const ConfigOpenIdClient = OpenIdClientInput.safeExtend({ environment: Environment }).meta({
  id: 'ConfigOpenIdClient',
})

/**
 * What a tenant has configured, without ids, secrets, private keys and times. Members, API keys and devices are people's and machines' access and
 * are not part of it. A part that is absent is left alone.
 */
export type TenantConfig = z.infer<typeof TenantConfig>
export const TenantConfig = z
  .strictObject({
    version: describe(z.literal(1), 'The version of this format.', 1),
    brand: describe(
      Brand.optional(),
      'How you appear to holders. Members that are left out are removed.',
      exampleBrand,
    ),
    policies: describe(
      ChangePolicies.optional(),
      'Retention and other rules for results. Members that are left out stay.',
      { retention_days: 30 },
    ),
    holder_page: describe(
      ChangeHolderPage.optional(),
      'How holders may respond, and from which pages. Members that are left out stay.',
      { moving_code: true },
    ),
    request_log: describe(
      z.strictObject({ enabled: describe(z.boolean(), 'True if they are.', true) }).optional(),
      'Whether the requests of your keys are recorded.',
      { enabled: true },
    ),
    alert_webhook: describe(
      z
        .strictObject({ url: describe(Uri, 'The address.', exampleUrl) })
        .nullable()
        .optional(),
      'Where alerts are sent, or `null`.',
      { url: exampleUrl },
    ),
    trust: describe(
      z
        .strictObject({
          policy: describe(
            ChangeTrustPolicy.shape.policy.optional(),
            'Whom you trust besides your own anchors.',
            'all',
          ),
          anchors: describe(
            z.array(ConfigAnchor).max(maxConfigEntries.anchors).optional(),
            'Your own anchors, recognised by environment, certificate and role.',
            [{ environment: 'test', pem: examplePem, role: 'issuing' }],
          ),
        })
        .optional(),
      'Which issuers you trust.',
      { policy: 'all', anchors: [] },
    ),
    registrations: describe(
      z
        .strictObject({
          settings: describe(
            ChangeRegistrationSettings.optional(),
            'How requests carry registrations, and what happens to a query that exceeds one.',
            { encoding: 'base64url', policy: 'warn' },
          ),
          items: describe(
            z.array(ConfigRegistration).max(maxConfigEntries.registrations).optional(),
            'Your registrations, recognised by their certificates.',
            [{ name: 'Age', certificate: 'eyJ0eXAiOiJyYy1ycCtqd3Qi…', default: true }],
          ),
        })
        .optional(),
      'Under which registrations you ask.',
      { settings: { policy: 'warn' }, items: [] },
    ),
    templates: describe(
      z
        .record(text({ min: 1, max: 64 }), ConfigTemplate)
        .refine(
          (templates) => Object.keys(templates).length <= maxConfigEntries.templates,
          `must have at most ${maxConfigEntries.templates} members`,
        )
        .optional(),
      'Your templates by their keys, and built-in ones that name a registration.',
      { hotel_check_in: { template: exampleTemplate } },
    ),
    webhook_endpoints: describe(
      z.array(ConfigWebhookEndpoint).max(maxConfigEntries.webhook_endpoints).optional(),
      'Your webhook endpoints, recognised by environment and URL. Only for keys with `webhooks:manage`.',
      [{ environment: 'test', url: exampleUrl, events: ['verification.completed'] }],
    ),
    openid_clients: describe(
      z.array(ConfigOpenIdClient).max(maxConfigEntries.openid_clients).optional(),
      'Your OpenID clients, recognised by environment, name and authentication.',
      [
        {
          environment: 'test',
          name: 'Web shop',
          redirect_uris: ['https://shop.example.com/callback'],
          templates: ['age_over_18'],
        },
      ],
    ),
  })
  .meta({ id: 'TenantConfig', examples: [exampleConfig] })

const Resource = describe(z.string(), 'What it is, in words.', 'template hotel_check_in')

export type ConfigChange = z.infer<typeof ConfigChange>
export const ConfigChange = z
  .strictObject({
    action: describe(z.enum(['create', 'change', 'delete']), 'What happens to it.', 'change'),
    resource: Resource,
    before: describe(z.unknown().optional(), 'Its part of the configuration before. Absent if new.', {}),
    after: describe(z.unknown().optional(), 'Its part afterwards. Absent if deleted.', exampleBrand),
    applied: describe(z.boolean(), 'Whether this change was made.', true),
  })
  .meta({ id: 'ConfigChange' })

export type AppliedConfig = z.infer<typeof AppliedConfig>
export const AppliedConfig = z
  .strictObject({
    applied: describe(z.boolean(), 'Whether the configuration is now as sent. False after a dry run.', true),
    changes: describe(z.array(ConfigChange), 'What differs, in the order in which it is changed.', [
      { action: 'change', resource: 'brand', before: {}, after: exampleBrand, applied: true },
    ]),
    unchanged: describe(Count, 'How many parts are as sent already.', 3),
    kept: describe(Count, 'How many are not in the document and stay, because `prune` was not given.', 0),
    secrets: describe(
      z.array(
        z.strictObject({
          resource: Resource,
          id: describe(z.string().optional(), 'Its id, if it has one.', 'we_p7Qm2xV9rT4wYb6nKc1sHd'),
          secret: describe(z.string(), 'Shown only once.', 'whsec_…'),
        }),
      ),
      'The secrets of what was created.',
      [],
    ),
    failure: describe(
      z
        .strictObject({
          resource: Resource,
          code: describe(z.string(), 'The error code.', 'template_in_use'),
          message: describe(
            z.string(),
            'What went wrong.',
            'Devices may use this template: “Till 3” (test).',
          ),
        })
        .optional(),
      'Why a change was not made. It and those after it are not applied; send the document again to complete it.',
      { resource: 'template hotel_check_in', code: 'template_in_use', message: '…' },
    ),
  })
  .meta({ id: 'AppliedConfig' })

const ApplyConfigQuery = z.strictObject({
  dry_run: describe(queryBoolean(), 'Plans and checks, and changes nothing.', true).optional(),
  prune: describe(queryBoolean(), 'Deletes what the parts of the document do not name.', true).optional(),
})

/** The whole configuration of a tenant as one document. */
export const configRoutes = {
  getConfig: {
    method: 'GET',
    path: '/v1/config',
    summary: 'Export the configuration',
    scope: 'config:read',
    success: {
      status: 200,
      body: TenantConfig,
      description: 'The configuration, without secrets. Its `ETag` changes when it does.',
    },
  },
  applyConfig: {
    method: 'PUT',
    path: '/v1/config',
    summary: 'Apply a configuration',
    scope: 'config:read',
    headers: {
      'If-Match': 'The `ETag` of the configuration that you expect. If it has changed, nothing is applied.',
    },
    query: ApplyConfigQuery,
    json: TenantConfig,
    large_json: true,
    success: {
      status: 200,
      body: AppliedConfig,
      description:
        'What was changed. Each change needs the scope that manages what it changes; if one is missing, nothing is changed.',
    },
    refusals: [
      'config_busy',
      'config_changed',
      'invalid_template',
      'invalid_webhook_url',
      'registration_in_use',
      'registration_not_accepted',
      'template_in_use',
      'too_many',
      'unknown_template',
    ],
  },
} satisfies Record<string, PublishedRoute>
