import { readFileSync } from 'node:fs'
import { listTemplates, putTemplate } from '../../templates/index.ts'
import { command, CommandError, printResult } from './command.ts'
import { jsonLinesOption, jsonOption, tenantOption, parseUuid } from './options.ts'
import { withContext } from './with-context.ts'

export const templatePutCommand = command({
  options: {
    tenant: tenantOption,
    key: { type: 'string', required: true, description: 'key of the template, 1-64 characters' },
    file: {
      type: 'string',
      required: true,
      description: 'JSON: {"name","description","query","claims"?,"must"?,"derive"?}',
    },
    json: jsonOption,
  },
  async run({ values }) {
    const { key } = values
    const template = readTemplate(values.file)
    const by = { kind: 'operator', tenant_id: parseUuid('tenant', values.tenant) } as const
    const violations = await withContext((ctx) => putTemplate(ctx, { key, template, by }))
    if (violations.length > 0) {
      throw new CommandError(violations.map(({ place, rule }) => `${place}: ${rule}`).join('\n'))
    }
    printResult(values, { key }, [`Saved ${key}.`])
  },
})

export const templateListCommand = command({
  options: {
    tenant: { type: 'string', description: "the tenant's id (default: only the built-in templates)" },
    json: jsonLinesOption,
  },
  async run({ values }) {
    const tenantId = values.tenant === undefined ? undefined : parseUuid('tenant', values.tenant)
    for (const template of await withContext((ctx) => listTemplates(ctx, tenantId))) {
      printResult(values, template, [`${template.key}  ${template.name}: ${template.description}`])
    }
  },
})

function readTemplate(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // The file is missing or not JSON; the message says which.
    throw new CommandError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
