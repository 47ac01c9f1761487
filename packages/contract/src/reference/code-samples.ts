import type { z } from 'zod'
import { managementRoutes } from '../management.ts'
import type { Route } from '../route.ts'
import { exampleOf, type Operation } from './examples.ts'

export type CodeSample = { lang: string; label: string; source: string }

/**
 * The calls of `@vidimus/sdk`. Management operations are called by their names. Operations that it does not offer are called by wallets
 * and pages, not by merchants.
 */
const sdkCalls: Partial<Record<Operation, string>> = {
  createVerification: 'const verification = await vidimus.verifications.create(BODY)',
  listVerifications:
    "const { data } = await vidimus.verifications.list({ template: 'age_over_18', limit: 20 })",
  getVerification: 'const verification = await vidimus.verifications.retrieve(ID)',
  eraseVerification: 'const erasure = await vidimus.verifications.delete(ID)',
  cancelVerification: 'const verification = await vidimus.verifications.cancel(ID)',
  comparePhoto: 'const { same_person } = await vidimus.verifications.compare(ID, BODY)',
  redeemResponseCode: 'const verification = await vidimus.verifications.redeem(ID, CODE)',
  getVerificationStatus: 'const { status } = await vidimus.verifications.status(ID)',
  listTemplates: 'const { data } = await vidimus.templates.list()',
  getUsage: 'const usage = await vidimus.usage.retrieve()',
  registerDevice: 'const { device, pairing_code } = await vidimus.devices.create(BODY)',
  listDevices: 'const { data } = await vidimus.devices.list()',
  revokeDevice: 'const device = await vidimus.devices.revoke(ID)',
  changeDevice: 'const device = await vidimus.devices.update(ID, BODY)',
  renewPairingCode: 'const { pairing_code } = await vidimus.devices.renewPairingCode(ID, BODY)',
  getConfig: 'const config = await vidimus.config.export()',
  applyConfig: 'const { changes, secrets } = await vidimus.config.apply(BODY)',
  createWebhookEndpoint: 'const { endpoint, secret } = await vidimus.webhookEndpoints.create(BODY)',
  listWebhookEndpoints: 'const { data } = await vidimus.webhookEndpoints.list()',
  getWebhookEndpoint: 'const endpoint = await vidimus.webhookEndpoints.retrieve(ID)',
  changeWebhookEndpoint: 'const endpoint = await vidimus.webhookEndpoints.update(ID, BODY)',
  deleteWebhookEndpoint: 'const endpoint = await vidimus.webhookEndpoints.delete(ID)',
  rotateWebhookEndpointSecret: 'const { endpoint, secret } = await vidimus.webhookEndpoints.rotateSecret(ID)',
}

type Request = {
  method: string
  path: string
  params: Record<string, unknown>
  key: boolean
  idempotent: boolean
  body: unknown
  /** The response is text, not JSON. */
  text: boolean
}

/** The same request in several languages. They read the address and the key from the variables that `dev.env` sets. */
export function writeCodeSamples(operation: string, route: Route): CodeSample[] {
  if (!route.path.startsWith('/v1/')) return []
  const request = exampleRequest(route)
  const call =
    operation in managementRoutes
      ? `const ${route.success.media === undefined ? 'result' : 'text'} = await vidimus.call(${quote(operation)}INPUT)`
      : sdkCalls[operation as Operation]
  return [
    { lang: 'shell', label: 'curl', source: writeCurl(request) },
    ...(call === undefined
      ? []
      : [{ lang: 'typescript', label: 'TypeScript', source: writeTypeScript(call, request) }]),
    { lang: 'python', label: 'Python', source: writePython(request) },
    { lang: 'php', label: 'PHP', source: writePhp(request) },
    { lang: 'go', label: 'Go', source: writeGo(request) },
  ]
}

function exampleRequest({ method, path, params, json, scope, headers, success }: Route): Request {
  const values = Object.entries(params?.shape ?? {}).map(([name, schema]) => [
    name,
    exampleOf(schema as z.ZodType),
  ])
  const filled = values.reduce(
    (text: string, [name, value]) => text.replace(`{${String(name)}}`, String(value)),
    path,
  )
  return {
    method,
    path: filled,
    params: Object.fromEntries(values),
    key: scope !== undefined,
    idempotent: headers?.['Idempotency-Key'] !== undefined,
    body: json === undefined ? undefined : exampleOf(json),
    text: success.media !== undefined,
  }
}

function writeCurl({ method, path, key, idempotent, body }: Request): string {
  const parts = [`curl ${method === 'GET' ? '' : `-X ${method} `}"$VIDIMUS_URL${path}"`]
  if (key) parts.push('-H "Authorization: Bearer $VIDIMUS_KEY"')
  if (idempotent) parts.push('-H "Idempotency-Key: $(openssl rand -hex 16)"')
  if (body !== undefined) parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`)
  return `${parts.join(' \\\n  ')}\n`
}

function writeTypeScript(call: string, { path, params, body }: Request): string {
  const input = { ...params, ...(body !== undefined && { body }) }
  const filled = call
    .replace('INPUT', Object.keys(input).length === 0 ? '' : `, ${writeLiteral(input)}`)
    .replace('BODY', writeLiteral(body))
    .replace('ID', quote(path.split('/')[3] ?? ''))
    .replace('CODE', quote((body as { response_code?: string } | undefined)?.response_code ?? ''))
  return `import { createClient } from '@vidimus/sdk'

const vidimus = createClient({ baseUrl: process.env.VIDIMUS_URL!, apiKey: process.env.VIDIMUS_KEY! })
${filled}
`
}

function writeLiteral(value: unknown): string {
  return JSON.stringify(value ?? {}, null, 2)
    .replaceAll(/"([a-z_]+)":/g, '$1:')
    .replaceAll('"', "'")
}

function writePython({ method, path, key, idempotent, body, text }: Request): string {
  const headers = [
    ...(key ? [`"Authorization": "Bearer " + os.environ["VIDIMUS_KEY"]`] : []),
    ...(idempotent ? ['"Idempotency-Key": str(uuid.uuid4())'] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json"']),
  ]
  const imports = [
    ...(text && body === undefined ? [] : ['json']),
    'os',
    'urllib.request',
    ...(idempotent ? ['uuid'] : []),
  ]
  return `${imports.map((name) => `import ${name}`).join('\n')}

request = urllib.request.Request(
    os.environ["VIDIMUS_URL"] + "${path}",
    method="${method}",
    headers={${headers.join(', ')}},
${body === undefined ? '' : `    data=json.dumps(${writePythonLiteral(body)}).encode(),\n`})
with urllib.request.urlopen(request) as response:
    print(${text ? 'response.read().decode()' : 'json.load(response)'})
`
}

function writePythonLiteral(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(writePythonLiteral).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).map(([name, each]) => `"${name}": ${writePythonLiteral(each)}`)
  return `{${members.join(', ')}}`
}

function writePhp({ method, path, key, idempotent, body, text }: Request): string {
  const headers = [
    ...(key ? [`'Authorization: Bearer ' . getenv('VIDIMUS_KEY')`] : []),
    ...(idempotent ? [`'Idempotency-Key: ' . bin2hex(random_bytes(16))`] : []),
    ...(body === undefined ? [] : [`'Content-Type: application/json'`]),
  ]
  return `<?php
$request = curl_init(getenv('VIDIMUS_URL') . '${path}');
curl_setopt_array($request, [
    CURLOPT_CUSTOMREQUEST => '${method}',
    CURLOPT_HTTPHEADER => [${headers.join(', ')}],
${body === undefined ? '' : `    CURLOPT_POSTFIELDS => '${JSON.stringify(body)}',\n`}    CURLOPT_RETURNTRANSFER => true,
]);
${text ? 'echo curl_exec($request);' : 'print_r(json_decode(curl_exec($request), true));'}
`
}

function writeGo({ method, path, key, idempotent, body }: Request): string {
  const imports = [
    'fmt',
    'io',
    'net/http',
    'os',
    ...(body === undefined ? [] : ['strings']),
    ...(idempotent ? ['crypto/rand'] : []),
  ].toSorted()
  const lines = [
    `request, err := http.NewRequest("${method}", os.Getenv("VIDIMUS_URL")+"${path}", ${body === undefined ? 'nil' : `strings.NewReader(\`${JSON.stringify(body)}\`)`})`,
    'if err != nil {',
    '\tpanic(err)',
    '}',
    ...(key ? ['request.Header.Set("Authorization", "Bearer "+os.Getenv("VIDIMUS_KEY"))'] : []),
    ...(idempotent
      ? [
          'key := make([]byte, 16)',
          'rand.Read(key)',
          'request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", key))',
        ]
      : []),
    ...(body === undefined ? [] : ['request.Header.Set("Content-Type", "application/json")']),
    'response, err := http.DefaultClient.Do(request)',
    'if err != nil {',
    '\tpanic(err)',
    '}',
    'defer response.Body.Close()',
    'text, err := io.ReadAll(response.Body)',
    'fmt.Println(response.Status, string(text), err)',
  ]
  return `package main

import (
${imports.map((name) => `\t"${name}"`).join('\n')}
)

func main() {
${lines.map((line) => `\t${line}`).join('\n')}
}
`
}

function quote(text: string): string {
  return `'${text}'`
}
