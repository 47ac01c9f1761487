import type { McpServer } from '@modelcontextprotocol/server'
import { CreateVerification, UsableTemplateList, Verification } from '@vidimus/contract'
import { describeFaults, faults, personas } from '@vidimus/sandbox'
import { z } from 'zod'
import { callForJson, type Service } from '../call-service.ts'
import { respondRemotely } from '../respond-remotely.ts'
import { creating, jsonResult, readOnly, respondWith } from './tool.ts'

const Id = z
  .string()
  .regex(/^[\w-]{1,200}$/)
  .describe('The id of the verification.')
const personaNames = personas.map(({ name }) => name)
const personaTexts = personas.map(({ name, description }) => `${name}: ${description}`).join('; ')
const asked = CreateVerification.shape

export function addVerificationTools(server: McpServer, service: Service): void {
  server.registerTool(
    'list_templates',
    {
      title: 'List templates',
      description: 'Lists what a verification can ask for, with claims and parameters.',
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    () =>
      respondWith(async () =>
        jsonResult(await callForJson(service, '/v1/templates', { schema: UsableTemplateList })),
      ),
  )
  server.registerTool(
    'create_test_verification',
    {
      title: 'Create a test verification',
      description:
        'Creates a verification in the test environment. Returns its id and where a wallet opens it.',
      inputSchema: z.object({
        template: z.string().max(100).default('age_over_18').describe('One of `list_templates`.'),
        purpose: z.string().max(500).default('Trying Vidimus').describe('What the holder reads.'),
        parameters: asked.parameters,
        metadata: asked.metadata,
        webhook_url: asked.webhook_url,
      }),
      annotations: creating,
    },
    (json) => respondWith(async () => jsonResult(withoutClaims(await create(service, json)))),
  )
  server.registerTool(
    'respond_as_persona',
    {
      title: 'Respond as a persona',
      description: `The sandbox wallet of the service responds to a test verification over the real protocol. Personas: ${personaTexts}.`,
      inputSchema: z.object({
        id: Id,
        persona: z.enum(personaNames).default('adult'),
        fault: z.string().max(100).optional().describe('What the wallet does wrong, one of `list_faults`.'),
      }),
      annotations: creating,
    },
    ({ id, ...response }) => respondWith(async () => jsonResult(await respondAs(service, id, response))),
  )
  server.registerTool(
    'list_faults',
    {
      title: 'List faults',
      description: 'Lists what the sandbox wallet can do wrong, to see how an integration reports it.',
      inputSchema: z.object({}),
      annotations: readOnly,
    },
    () => respondWith(async () => jsonResult({ faults: describeFaults(faults) })),
  )
  server.registerTool(
    'get_verification',
    {
      title: 'Read a verification',
      description:
        'Returns status, error, findings and metadata of a test verification; values of claims only on request.',
      inputSchema: z.object({
        id: Id,
        include_claims: z.boolean().default(false).describe('Only if the developer asked for the values.'),
      }),
      annotations: readOnly,
    },
    ({ id, include_claims }) =>
      respondWith(async () => {
        const verification = await read(service, id)
        return jsonResult(include_claims ? verification : withoutClaims(verification))
      }),
  )
}

function create(service: Service, json: object): Promise<Verification> {
  return callForJson(service, '/v1/verifications', { method: 'POST', json, schema: Verification })
}

function read(service: Service, id: string): Promise<Verification> {
  return callForJson(service, `/v1/verifications/${id}`, { schema: Verification })
}

async function respondAs(
  service: Service,
  id: string,
  response: { persona: string; fault?: string | undefined },
) {
  const { wallet_uri, status } = await read(service, id)
  if (wallet_uri === undefined)
    return { id, status, complaints: [`It is ${status}: no wallet can respond to it.`] }
  const { http_status, complaints } = await respondRemotely({ wallet_uri, ...response }, service.url)
  const after = withoutClaims(await read(service, id))
  return {
    id,
    http_status,
    complaints,
    status: after.status,
    error: after.error,
    credentials: after.credentials,
  }
}

/** Names of claims instead of their values. */
function withoutClaims({ claims, credentials, ...verification }: Verification) {
  return {
    ...verification,
    ...(claims !== undefined && { claim_names: Object.keys(claims) }),
    ...(credentials !== undefined && {
      credentials: credentials.map(({ claims: values, ...credential }) => ({
        ...credential,
        claim_names: Object.keys(values ?? {}),
      })),
    }),
  }
}
