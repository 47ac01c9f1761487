import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { developerVariables } from '../../engine/config/index.ts'
import { callService, parseServiceUrl, serviceOptions, ServiceRefusal, type Service } from './call-service.ts'
import { command, printResult, UsageError } from './command.ts'
import { credentialsFile, storeCredentials } from './credentials.ts'
import { jsonOption } from './options.ts'

export const loginCommand = command({
  options: {
    ...serviceOptions,
    url: {
      type: 'string',
      description: 'URL of the service (default: VIDIMUS_URL, or http://localhost:8080)',
    },
    key: {
      type: 'string',
      description: 'the key (default: VIDIMUS_KEY; otherwise it is asked for, or read from standard input)',
    },
    json: jsonOption,
  },
  async run({ values }) {
    const variables = developerVariables()
    const url = parseServiceUrl(values.url ?? variables.url ?? 'http://localhost:8080')
    const key = (values.key ?? variables.key ?? (await askForKey())).trim()
    const environment = /^vk_(test|live)_\w+$/.exec(key)?.[1]
    if (environment === undefined) throw new UsageError('The key must begin with vk_test_ or vk_live_')
    await checkKey({ url, key })
    storeCredentials({ url, key })
    const file = credentialsFile()
    printResult(values, { url, environment, file }, [
      `Logged in to ${url} (${environment}). Stored in ${file}.`,
    ])
  },
})

/** Asks without showing what is typed, so that the key is in no history of a shell. */
async function askForKey(): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  if (process.stdin.isTTY) process.stderr.write('API key: ')
  const terminal = createInterface({ input: process.stdin, output: silent, terminal: process.stdin.isTTY })
  for await (const line of terminal) {
    if (process.stdin.isTTY) process.stderr.write('\n')
    return line
  }
  throw new UsageError('--key is missing')
}

/** A key without the scope of this route is valid too. */
async function checkKey(service: Service): Promise<void> {
  try {
    await callService(service, '/v1/usage')
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.status !== 403) throw error
  }
}
