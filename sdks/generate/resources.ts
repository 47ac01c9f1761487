/** The methods of the resources, named as in `@vidimus/sdk`. Every other operation with an API key is called by its name. */
export const resources: Record<string, { about: string; methods: Record<string, string> }> = {
  verifications: {
    about: 'Requests verifications and reads their results.',
    methods: {
      create: 'createVerification',
      retrieve: 'getVerification',
      list: 'listVerifications',
      cancel: 'cancelVerification',
      compare: 'comparePhoto',
      redeem: 'redeemResponseCode',
      delete: 'eraseVerification',
      status: 'getVerificationStatus',
    },
  },
  templates: { about: 'What a verification can ask for.', methods: { list: 'listTemplates' } },
  devices: {
    about: 'Tills and tablets that create verifications with their own tokens.',
    methods: {
      create: 'registerDevice',
      list: 'listDevices',
      update: 'changeDevice',
      renewPairingCode: 'renewPairingCode',
      revoke: 'revokeDevice',
    },
  },
  config: {
    about: 'The whole configuration as one document.',
    methods: { export: 'getConfig', apply: 'applyConfig' },
  },
  webhookEndpoints: {
    about: 'Receivers for the events of all verifications.',
    methods: {
      create: 'createWebhookEndpoint',
      list: 'listWebhookEndpoints',
      retrieve: 'getWebhookEndpoint',
      update: 'changeWebhookEndpoint',
      delete: 'deleteWebhookEndpoint',
      rotateSecret: 'rotateWebhookEndpointSecret',
    },
  },
  usage: { about: 'The daily quota and usage.', methods: { retrieve: 'getUsage' } },
}

/** Operations that have the same effect when they are sent again, although they are not GET, PUT or PATCH. */
export const repeatable = new Set([
  'createVerification', // with its idempotency key
  'cancelVerification',
  'comparePhoto',
  'eraseVerification',
  'renewPairingCode',
  'revokeDevice',
])

/** A device calls these, with tokens of its own. */
export const deviceOperations = new Set([
  'requestFromReader',
  'presentFromReader',
  'getTillSettings',
  'checkPin',
])

/** Documents that are kept in a file and passed on as they are. */
export const opaqueSchemas = new Set(['TenantConfig'])
