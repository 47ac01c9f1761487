import type { Contract, Member, Model, Operation, Resource, Type } from './contract.ts'
import { lowerFirst, pascal, plain } from './text.ts'

/** Prints a struct for each model, body and set of options, and a type with methods for each resource. */
export function printGo({ models, resources, called }: Contract): Record<string, string> {
  const operations = resources.flatMap(({ methods }) => methods.map(({ operation }) => operation))
  const bodies = operations.flatMap(({ body }) => (typeof body === 'object' ? [body] : []))
  return {
    'models.go': `${header}
${models.map((model) => printStruct(model, 'is a part of what the service returns.', printModelField)).join('\n')}`,
    'resources.go': `${header}
import (
	"context"
	"net/http"
	"net/url"
)

${bodies.map((body) => printStruct(body, 'is what is sent.', printBodyField)).join('\n')}
${operations.flatMap(printOptions).join('\n')}
${resources.map(printResource).join('\n')}
// operations is what Client.Call can do, by the name of the operation in the API reference.
var operations = indexByName([]operation{
${called.map(printCall).join('\n')}
})
`,
  }
}

const header = `// Code generated from the contract by sdks/generate. DO NOT EDIT. A test compares; change the contract, then run the build.

package vidimus
`

function printStruct(
  { name, about, members }: Model,
  otherwise: string,
  field: (member: Member) => string,
): string {
  const fields = members.flatMap((member) => [
    ...(member.about === '' ? [] : [`\t// ${plain(member.about)}`]),
    `\t${field(member)}`,
  ])
  return `// ${name}${about === '' ? ` ${otherwise}` : `: ${lowerFirst(plain(about))}`}
type ${name} struct {
${fields.join('\n')}
}
`
}

function printModelField({ name, type, required }: Member): string {
  const tag = name === 'raw' ? '-' : required ? name : `${name},omitempty`
  // An empty text is none, and so is an empty list; a number or an object is absent or not.
  const pointer = !required && ['integer', 'number', 'boolean', 'model'].includes(type.kind)
  return `${goName(name)} ${pointer ? '*' : ''}${printType(type)} \`json:"${tag}"\``
}

function printBodyField({ name, type, required, nullable, emptyable }: Member): string {
  const printed = printType(type)
  const tag = required ? name : `${name},omitempty`
  if (nullable) return `${goName(name)} *Nullable[${printed}] \`json:"${tag}"\``
  const pointer =
    !required &&
    (['integer', 'number', 'boolean'].includes(type.kind) || (type.kind === 'string' && emptyable))
  return `${goName(name)} ${pointer ? '*' : ''}${printed} \`json:"${tag}"\``
}

function printOptions({ id, options }: Operation): string[] {
  if (options.length === 0) return []
  const fields = options.flatMap((option) => [
    `\t// ${plain(option.about)}`,
    `\t${goName(option.name)} ${option.type.kind === 'boolean' ? '*' : ''}${printType(option.type)}`,
  ])
  return [
    `// ${pascal(id)}Options are the options of ${id}; all can be left out.
type ${pascal(id)}Options struct {
${fields.join('\n')}
}
`,
  ]
}

function printResource({ name, about, methods }: Resource): string {
  const type = `${pascal(name)}Resource`
  return `// ${type}: ${lowerFirst(about)}
type ${type} struct{ client *Client }

${methods.flatMap(({ name: method, operation }) => printMethods(type, pascal(method), operation)).join('\n')}`
}

function printMethods(type: string, name: string, operation: Operation): string[] {
  const method = printMethod(type, name, operation)
  if (!operation.paged) return [method]
  const options = `${pascal(operation.id)}Options`
  return [
    method,
    `// ${name}All iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates.
func (r *${type}) ${name}All(ctx context.Context, options *${options}) *VerificationIterator {
	return newVerificationIterator(ctx, r, options)
}
`,
  ]
}

function printMethod(type: string, name: string, operation: Operation): string {
  const { id, about, method, path, params, options, query, headers, keyed, body, result, retry } = operation
  const args = [
    'ctx context.Context',
    ...(params.length === 0 ? [] : [`${params.join(', ')} string`]),
    ...(body === 'document' ? ['document any'] : body === undefined ? [] : [`body ${body.name}`]),
    ...(options.length === 0 ? [] : [`options *${pascal(id)}Options`]),
  ]
  const isMap = result.kind !== 'model'
  const fields = [
    `method: http.Method${method.charAt(0)}${method.slice(1).toLowerCase()}`,
    `path: "${path}"`,
    ...(params.length === 0 ? [] : [`params: []string{${params.join(', ')}}`]),
    ...(retry === 'unless_lost'
      ? []
      : [`repeatable: ${retry === 'dry_run' ? 'isTrue(options.DryRun)' : 'true'}`]),
    ...(id === 'getVerificationStatus' ? ['public: true'] : []),
    ...(body === undefined ? [] : [`body: ${body === 'document' ? 'document' : 'body'}`]),
    ...(query.length === 0 ? [] : ['query: query']),
    ...(headers.length === 0 && !keyed ? [] : ['header: header']),
  ]
  const lines = [
    ...(options.length === 0
      ? []
      : ['\tif options == nil {', `\t\toptions = &${pascal(id)}Options{}`, '\t}']),
    ...(query.length === 0
      ? []
      : [
          '\tquery := url.Values{}',
          ...query.map((option) => `\taddQuery(query, "${option.name}", options.${goName(option.name)})`),
        ]),
    ...(headers.length === 0 && !keyed ? [] : ['\theader := http.Header{}']),
    ...headers.map((option) => `\taddHeader(header, "${option.name}", options.${goName(option.name)})`),
    ...(keyed ? ['\taddHeader(header, "Idempotency-Key", keyOr(options.IdempotencyKey))'] : []),
  ]
  return `// ${name} calls ${id}: ${lowerFirst(plain(about))}
func (r *${type}) ${name}(${args.join(', ')}) (${isMap ? printType(result) : `*${printType(result)}`}, error) {
${lines.map((line) => `${line}\n`).join('')}	${isMap ? `var result ${printType(result)}\n\terr := r.client.send(ctx, request{${fields.join(', ')}}, &result)\n\treturn result, err` : `return send[${printType(result)}](ctx, r.client, request{${fields.join(', ')}})`}
}
`
}

function printCall({ id, method, path, retry, accept }: Operation): string {
  const fields = [`"${id}"`, `"${method}"`, `"${path}"`, String(retry === 'always'), `"${accept ?? ''}"`]
  return `\t{${fields.join(', ')}},`
}

function printType(type: Type): string {
  if (type.kind === 'model') return type.name
  if (type.kind === 'list') return `[]${printType(type.of)}`
  if (type.kind === 'map') return `map[string]${printType(type.of)}`
  return { string: 'string', integer: 'int', number: 'float64', boolean: 'bool', any: 'any' }[type.kind]
}

function goName(name: string): string {
  return pascal(name).replaceAll(/(?:Id|Url|Uri|Ttl)(?=[A-Z]|$)/g, (part) => part.toUpperCase())
}
