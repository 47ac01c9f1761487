import type { Contract, Member, Model, Operation, Resource, Type } from './contract.ts'
import { camel, fillLines, notice, pascal, plain } from './text.ts'

/** Prints a class for each model and each resource, with named arguments. */
export function printPhp({ models, resources, called }: Contract): Record<string, string> {
  return Object.fromEntries([
    ...models.map((model) => [`src/Model/${model.name}.php`, printModel(model)]),
    ...resources.map((resource) => [
      `src/Resource/${pascal(resource.name)}Resource.php`,
      printResource(resource),
    ]),
    ['src/Resource/Calls.php', printCalls(called)],
  ])
}

function printFile(namespace: string, text: string): string {
  return `<?php

// ${notice}

declare(strict_types=1);

namespace Vidimus\\${namespace};

${text}
`
}

function printModel({ name, about, members }: Model): string {
  const declared = members.flatMap((member) => [
    `        /** ${[printShape(member), plain(member.about)].filter((part) => part !== '').join(' ')} */`,
    `        public ${printOptional(member)} $${member.name},`,
  ])
  const read = members.map((member) => `            ${member.name}: ${printRead(member)},`)
  return printFile(
    'Model',
    `${about === '' ? '' : `/** ${plain(about)} */\n`}final readonly class ${name}
{
    public function __construct(
${declared.join('\n')}
    ) {
    }

    /** @param array<string, mixed> $json */
    public static function from(array $json): self
    {
        return new self(
${read.join('\n')}
        );
    }
}`,
  )
}

function printResource({ name, about, methods }: Resource): string {
  const base = name === 'verifications' ? 'WaitingResource' : 'Resource'
  const models = new Set(
    methods.flatMap(({ operation: { result } }) => (result.kind === 'model' ? [result.name] : [])),
  )
  const all = methods.some(({ operation }) => operation.paged) ? [...models, 'Verification'] : [...models]
  const nullable = methods.some(
    ({ operation: { body } }) => typeof body === 'object' && body.members.some((member) => member.nullable),
  )
  const imports = [
    ...[...new Set(all)].map((model) => `Vidimus\\Model\\${model}`),
    `Vidimus\\${base}`,
    ...(nullable ? ['Vidimus\\Omit'] : []),
  ]
  return printFile(
    'Resource',
    `${imports
      .toSorted()
      .map((each) => `use ${each};`)
      .join('\n')}

/** ${about} */
final class ${pascal(name)}Resource extends ${base}
{
${methods.flatMap(({ name: method, operation }) => printMethods(method, operation)).join('\n\n')}
}`,
  )
}

function printMethods(name: string, operation: Operation): string[] {
  const method = printMethod(name, operation)
  if (!operation.paged) return [method]
  const others = operation.options.filter(({ name: option }) => option !== 'limit')
  const filters = others
    .filter(({ name: option }) => option !== 'before')
    .map((each) => `$${camel(each.name)}`)
  return [
    method,
    `    /**
     * Iterates over all pages, newest first. What is created in the meantime causes no gaps or duplicates.
     *
     * @return iterable<Verification>
     */
${fillLines(`    public function ${name}All(`, ['int $limit = 100', ...others.map(printArgument)], '): iterable')}
    {
        return $this->pages($limit, $before, fn (?string $next) => $this->${name}($limit, $next, ${filters.join(', ')}));
    }`,
  ]
}

function printMethod(name: string, operation: Operation): string {
  const { id, about, method, path, params, options, query, headers, keyed, body, result, retry } = operation
  const members = typeof body === 'object' ? body.members : []
  const keywords = [...members.toSorted((a, b) => Number(b.required) - Number(a.required)), ...options]
  const args = [
    ...params.map((param) => `string $${param}`),
    ...(body === 'document' ? ['array|object $document'] : []),
    ...keywords.map(printArgument),
  ]
  const passed = [
    `'${method}'`,
    params.length === 0
      ? `'${path}'`
      : `self::path('${path}', ${params.map((param) => `$${param}`).join(', ')})`,
    retry === 'dry_run' ? "$dryRun === true ? 'always' : 'unless_lost'" : `'${retry}'`,
    ...(body === 'document' ? ['body: $document'] : []),
    ...(members.length > 0 ? [printBody(members)] : []),
    ...(query.length > 0 ? [printArray('query: [', query, ']')] : []),
    ...(headers.length > 0 ? [printArray('headers: [', headers, ']')] : []),
    ...(keyed ? ['idempotencyKey: $idempotencyKey ?? self::newKey()'] : []),
    ...(id === 'getVerificationStatus' ? ['public: true'] : []),
    ...(result.kind === 'model' ? [] : ['asObject: true']),
  ]
  const details = [
    ...(body === 'document' ? ['     * @param array<string, mixed>|object $document'] : []),
    ...keywords.map(
      (each) => `     * @param ${printDocType(each)} $${camel(each.name)} ${plain(each.about)}`,
    ),
  ]
  const [head, tail] =
    result.kind === 'model'
      ? [`return ${result.name}::from($this->call(`, '));']
      : ['return $this->call(', ');']
  return `${details.length === 0 ? `    /** ${plain(about)} */` : `    /**\n     * ${plain(about)}\n     *\n${details.join('\n')}\n     */`}
${fillLines(`    public function ${name}(`, args, `): ${result.kind === 'model' ? result.name : 'object'}`)}
    {
${fillLines(`        ${head}`, passed, tail)}
    }`
}

function printArgument(member: Member): string {
  const type = printType(member.type)
  const name = camel(member.name)
  if (member.nullable) return `${type}|Omit|null $${name} = Omit::Omit`
  return member.required ? `${type} $${name}` : `${type === 'mixed' ? 'mixed' : `?${type}`} $${name} = null`
}

/** What can be null is apart, because there null is not left out. */
function printBody(members: Member[]): string {
  const nullable = members.filter((each) => each.nullable)
  const others = members.filter((each) => !each.nullable)
  if (nullable.length === 0) return printArray('body: self::present([', others, '])')
  return `${printArray('body: self::present([', others, '], ')}${printArray('[', nullable, '])')}`
}

function printArray(head: string, members: Member[], tail: string): string {
  const entries = members.map((each) => {
    const value = `$${camel(each.name)}`
    // An empty array would be sent as a list.
    return `'${each.name}' => ${each.type.kind === 'map' && head.startsWith('body') ? `self::map(${value})` : value}`
  })
  return fillLines(`            ${head}`, entries, tail).trimStart()
}

function printCalls(called: Operation[]): string {
  const lines = called.map(({ id, method, path, retry, accept }) => {
    const parts = [method, path, retry, ...(accept === undefined ? [] : [accept])]
    return `        '${id}' => [${parts.map((part) => `'${part}'`).join(', ')}],`
  })
  return printFile(
    'Resource',
    `/** What \`Vidimus::call\` can do, by the name of the operation in the API reference. */
final class Calls
{
    public const ALL = [
${lines.join('\n')}
    ];
}`,
  )
}

function printOptional({ type, required, nullable }: Member): string {
  const printed = printType(type)
  return required && !nullable ? printed : printed === 'mixed' ? 'mixed' : `?${printed}`
}

/** An absent required member is empty rather than an error. */
function printRead({ name, type, required, nullable }: Member): string {
  const value = `$json['${name}']`
  const empty = required && !nullable ? emptyOf(type) : 'null'
  if (type.kind === 'model')
    return empty === 'null'
      ? `isset(${value}) ? ${type.name}::from(${value}) : null`
      : `${type.name}::from(${value} ?? [])`
  if ((type.kind === 'list' || type.kind === 'map') && type.of.kind === 'model') {
    const mapped = (list: string) =>
      `array_map(${type.of.kind === 'model' ? type.of.name : ''}::from(...), ${list})`
    return empty === 'null' ? `isset(${value}) ? ${mapped(value)} : null` : mapped(`${value} ?? []`)
  }
  return `${value} ?? ${empty}`
}

function emptyOf({ kind }: Type): string {
  return {
    string: "''",
    integer: '0',
    number: '0.0',
    boolean: 'false',
    list: '[]',
    map: '[]',
    model: '[]',
    any: 'null',
  }[kind]
}

function printType({ kind, ...type }: Type): string {
  if (kind === 'model' && 'name' in type) return type.name
  return {
    string: 'string',
    integer: 'int',
    number: 'float',
    boolean: 'bool',
    any: 'mixed',
    list: 'array',
    map: 'array',
    model: '',
  }[kind]
}

function printDocType({ type, required, nullable }: Member): string {
  const shape = typeOfShape(type) || 'mixed'
  return nullable ? `${shape}|Omit|null` : required || shape === 'mixed' ? shape : `${shape}|null`
}

/** What the declared type of a property does not say. */
function printShape({ type }: Member): string {
  return type.kind === 'list' || type.kind === 'map' ? `@var ${typeOfShape(type)}` : ''
}

function typeOfShape(type: Type): string {
  if (type.kind === 'list') return `list<${typeOfShape(type.of)}>`
  if (type.kind === 'map') return `array<string, ${typeOfShape(type.of)}>`
  return printType(type)
}
