import type { Contract, Member, Model, Operation, Resource, Type } from './contract.ts'
import { camel, fillLines, notice, pascal, plain } from './text.ts'

const folder = 'src/main/java/org/vidimus'

/** Prints a record for each model, a class with a method for each member of what is sent, and a class for each resource. */
export function printJava({ models, resources, called }: Contract): Record<string, string> {
  const operations = resources.flatMap(({ methods }) => methods.map(({ operation }) => operation))
  const sent = operations.flatMap(({ id, body, options }) => [
    ...(typeof body === 'object' ? [body] : []),
    ...(options.length === 0
      ? []
      : [{ name: optionsOf(id), about: `The options of ${id}.`, members: options }]),
  ])
  return Object.fromEntries([
    ...models.map((model) => [`${folder}/model/${model.name}.java`, printModel(model)]),
    ...sent.map((model) => [`${folder}/model/${model.name}.java`, printSent(model)]),
    ...resources.map((resource) => [
      `${folder}/${pascal(resource.name)}Resource.java`,
      printResource(resource),
    ]),
    [`${folder}/Calls.java`, printCalls(called)],
  ])
}

function printFile(name: string, imports: string[], text: string): string {
  const used = imports.filter((each) => new RegExp(`\\b${each.split('.').at(-1)}\\b`).test(text))
  return `// ${notice}
package org.vidimus${name};

${used.length === 0 ? '' : `${used.map((each) => `import ${each};`).join('\n')}\n\n`}${text}
`
}

function printModel({ name, about, members }: Model): string {
  const documented = members.map((member) => ` * @param ${javaName(member.name)} ${escape(member.about)}`)
  const components = members.map((member) => `    ${printComponent(member)} ${javaName(member.name)}`)
  return printFile(
    '.model',
    ['java.util.List', 'java.util.Map'],
    `/**
 * ${about === '' ? 'What the service returns. A member that is absent is null.' : escape(about)}
 *
${documented.join('\n')}
 */
public record ${name}(
${components.join(',\n')}) {}`,
  )
}

function printSent({ name, about, members }: Model): string {
  const methods = members.map(
    (member) => `    /** ${escape(member.about)} */
    public ${name} ${javaName(member.name)}(${printType(member.type, true)} value) { return ${member.nullable ? 'setNullable' : 'set'}("${snakeName(member.name)}", value); }`,
  )
  return printFile(
    '.model',
    ['java.util.List', 'java.util.Map', 'org.vidimus.Parameters'],
    `/** ${about === '' ? 'What is sent.' : escape(about)} */
public final class ${name} extends Parameters<${name}> {
${methods.join('\n')}
}`,
  )
}

function printResource({ name, about, methods }: Resource): string {
  const type = `${pascal(name)}Resource`
  const operations = methods.map(({ operation }) => operation)
  const models = new Set(
    operations.flatMap(({ id, body, result, options, paged }) => [
      ...(result.kind === 'model' ? [result.name] : []),
      ...(typeof body === 'object' ? [body.name] : []),
      ...(options.length === 0 ? [] : [optionsOf(id)]),
      ...(paged ? ['Verification'] : []),
    ]),
  )
  return printFile(
    '',
    ['java.util.Map', ...[...models].toSorted().map((model) => `org.vidimus.model.${model}`)],
    `/** ${escape(about)} */
public final class ${type} extends ${name === 'verifications' ? 'WaitingResource' : 'Resource'} {
    ${type}(Connection connection) {
        super(connection);
    }

${methods.flatMap(({ name: method, operation }) => printMethods(method, operation)).join('\n\n')}
}`,
  )
}

function printMethods(name: string, operation: Operation): string[] {
  const { id, about, method, path, params, options, query, headers, keyed, body, result, retry } = operation
  const args = [
    ...params.map((param) => `String ${param}`),
    ...(body === 'document'
      ? ['Map<String, Object> document']
      : body === undefined
        ? []
        : [`${body.name} body`]),
  ]
  const all = options.length === 0 ? args : [...args, `${optionsOf(id)} options`]
  const returned = printType(result, true)
  const passed = args.map((arg) => arg.split(' ').at(-1))
  const queried = query.map((each) => `, "${each.name}"`)
  const steps = [
    `new Request("${method}", ${[`"${path}"`, ...params].join(', ')})`,
    ...(retry === 'unless_lost'
      ? []
      : [retry === 'dry_run' ? '.repeatableIf(options, "dry_run")' : '.repeatable()']),
    ...(id === 'getVerificationStatus' ? ['.withoutKey()'] : []),
    ...(body === undefined ? [] : [`.body(${body === 'document' ? 'document' : 'body.members()'})`]),
    ...(queried.length === 0 ? [] : [`.query(options${queried.join('')})`]),
    ...headers.map((header) => `.header("${header.name}", options, "${snakeName(header.name)}")`),
    ...(keyed ? ['.idempotencyKey(options)'] : []),
  ]
  const short = steps.join('')
  const chain = short.length < 60 ? short : steps.join('\n            ')
  const printed = `    /** ${escape(about)} */
${fillLines(`    public ${returned} ${name}(`, all, ') {', '')}
        return connection.${result.kind === 'model' ? `call(${result.name}.class, ` : 'callForJson('}${chain});
    }`
  const shorter = `    /** ${escape(about)} */
    public ${returned} ${name}(${args.join(', ')}) {
        return ${name}(${[...passed, `new ${optionsOf(id)}()`].join(', ')});
    }`
  const iterated = `    /** Iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates. */
    public Iterable<Verification> ${name}All(${optionsOf(id)} options) {
        return pages(options, this::${name});
    }`
  return [...(options.length === 0 ? [] : [shorter]), printed, ...(operation.paged ? [iterated] : [])]
}

function printCalls(called: Operation[]): string {
  const lines = called.map(({ id, method, path, retry, accept }) => {
    const parts = [
      `"${method}"`,
      `"${path}"`,
      String(retry === 'always'),
      accept === undefined ? 'null' : `"${accept}"`,
    ]
    return `        Map.entry("${id}", new Calls(${parts.join(', ')}))`
  })
  return printFile(
    '',
    ['java.util.Map'],
    `/** What Vidimus.call can do, by the name of the operation in the API reference. */
record Calls(String method, String path, boolean repeatable, String accept) {
    static final Map<String, Calls> ALL = Map.ofEntries(
${lines.join(',\n')});
}`,
  )
}

function printComponent({ type, required, nullable }: Member): string {
  return printType(type, !required || nullable)
}

function printType(type: Type, boxed: boolean): string {
  if (type.kind === 'model') return type.name
  if (type.kind === 'list') return `List<${printType(type.of, true)}>`
  if (type.kind === 'map') return `Map<String, ${printType(type.of, true)}>`
  const [plainType, box] = {
    string: ['String', 'String'],
    integer: ['long', 'Long'],
    number: ['double', 'Double'],
    boolean: ['boolean', 'Boolean'],
    any: ['Object', 'Object'],
  }[type.kind]
  return (boxed ? box : plainType) ?? ''
}

function optionsOf(id: string): string {
  return `${pascal(id)}Options`
}

const reserved = new Set(['default', 'enum'])

/** The decoder removes the line. */
function javaName(name: string): string {
  const printed = camel(name.toLowerCase())
  return reserved.has(printed) ? `${printed}_` : printed
}

function snakeName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

function escape(text: string): string {
  return plain(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('@', '&#64;')
}
