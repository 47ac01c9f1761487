import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

type Schema = { description?: string; properties?: Record<string, Schema> }

/** A table of every value of the chart with its default and its meaning, from the schema and the defaults. */
export function renderValuesTable(): string {
  const schema: Schema = JSON.parse(readFileSync('deploy/helm/vidimus/values.schema.json', 'utf8'))
  const defaults: unknown = parse(readFileSync('deploy/helm/vidimus/values.yaml', 'utf8'))
  const rows = listValues(schema, defaults, []).map(
    ({ path, value, description }) => `| \`${path}\` | ${renderDefault(value)} | ${description} |\n`,
  )
  return `| value | default | meaning |\n|---|---|---|\n${rows.join('')}`
}

type Value = { path: string; value: unknown; description: string }

/** Every value with a description. A group without one consists of its own values. */
function listValues(schema: Schema, value: unknown, path: string[]): Value[] {
  if (schema.description !== undefined)
    return [{ path: path.join('.'), value, description: schema.description }]
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    listValues(part, isRecord(value) ? value[name] : undefined, [...path, name]),
  )
}

function renderDefault(value: unknown): string {
  // A Secret and its key; one without a name is not used.
  if (isRecord(value) && 'name' in value)
    return value['name'] === '' ? '' : `\`${String(value['name'])}, ${String(value['key'])}\``
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return ['', '[]', '{}'].includes(text) ? '' : `\`${text}\``
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
