import type { Contract, Member, Model, Operation, Resource, Type } from './contract.ts'
import { fillLines, notice, pascal, snake } from './text.ts'

/** Prints the models as data classes and the resources as classes with keyword arguments. */
export function printPython({ models, resources, called }: Contract): Record<string, string> {
  return {
    'vidimus/models.py': printModels(models),
    'vidimus/resources.py': printResources(resources, called),
  }
}

function printModels(models: Model[]): string {
  return `# ${notice}
"""What the service returns. A member that is absent is \`\`None\`\`; times are texts with six digits, as the service sends them."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._decode import Model
${models.map(printModel).join('\n')}
`
}

function printModel({ name, about, members }: Model): string {
  const lines = members.flatMap((member) => {
    const type = printType(member.type)
    const declared = member.required && !member.nullable ? type : `${type} | None = None`
    return [
      `    ${member.name}: ${declared}`,
      ...(member.about === '' ? [] : [`    ${docstring(member.about)}`]),
    ]
  })
  return [
    '',
    '@dataclass(frozen=True, kw_only=True)',
    `class ${name}(Model):`,
    ...(about === '' ? [] : [`    ${docstring(about)}`, '']),
    ...lines,
    '',
  ].join('\n')
}

function printResources(resources: Resource[], called: Operation[]): string {
  const names = new Set(
    resources.flatMap(({ methods }) => methods.flatMap(({ operation }) => modelsOf(operation))),
  )
  return `# ${notice}
from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ._client import OMIT, Call, Omit, Resource, WaitingResource, new_key, present
${fillLines('from .models import (', [...names].toSorted(), ')')}
${resources.map(printResource).join('\n')}

CALLS: dict[str, Call] = {
${called.map(printCall).join('\n')}
}
"""What \`\`Vidimus.call\`\` can do, by the name of the operation in the API reference."""
`
}

function printResource({ name, about, methods }: Resource): string {
  const base = name === 'verifications' ? 'WaitingResource' : 'Resource'
  return `
class ${pascal(name)}Resource(${base}):
    ${docstring(about)}

${methods.flatMap(({ name: method, operation }) => printMethods(snake(method), operation)).join('\n')}`
}

function printMethods(name: string, operation: Operation): string[] {
  const method = printMethod(name, operation)
  if (!operation.paged) return [method]
  const others = operation.options.filter(({ name: option }) => option !== 'limit')
  const filters = others.filter(({ name: option }) => option !== 'before').map((each) => snake(each.name))
  const passed = ['limit=limit', 'before=next', ...filters.map((option) => `${option}=${option}`)]
  return [
    method,
    `${fillLines(`    def ${name}_all(`, ['self', '*', 'limit: int = 100', ...others.map(printArgument)], ') -> Iterator[Verification]:')}
        """Iterate over all pages, newest first. What is created in the meantime causes no gaps or duplicates."""
${fillLines('        return self._pages(limit, before, lambda next: self.list(', passed, '))')}
`,
  ]
}

function printMethod(
  name: string,
  { id, about, method, path, params, options, query, headers, keyed, body, result, retry }: Operation,
): string {
  const members = body === undefined || body === 'document' ? [] : body.members
  const keywords = [...members.toSorted((a, b) => Number(b.required) - Number(a.required)), ...options]
  const args = [
    'self',
    ...params.map((param) => `${param}: str`),
    ...(body === 'document' ? ['document: dict[str, Any]'] : []),
    ...(keywords.length > 0 ? ['*', ...keywords.map(printArgument)] : []),
  ]
  const passed = [
    `"${method}"`,
    printPath(path),
    ...(result.kind === 'model' ? [result.name] : ['dict']),
    ...(body === 'document' ? ['body=document'] : []),
    ...(members.length > 0 ? [printBody(members)] : []),
    ...(query.length > 0 ? [printDict('query={', query, '}')] : []),
    ...(headers.length > 0 ? [printDict('headers={', headers, '}')] : []),
    ...(keyed ? ['idempotency_key=idempotency_key or new_key()'] : []),
    `retry=${retry === 'dry_run' ? '"always" if dry_run else "unless_lost"' : `"${retry}"`}`,
    ...(id === 'getVerificationStatus' ? ['public=True'] : []),
  ]
  const documented = keywords.filter(({ about: text }) => text !== '')
  const details = documented.map((each) => `        ${snake(each.name)}: ${escape(each.about)}`)
  return `${fillLines(`    def ${name}(`, args, `) -> ${printType(result)}:`)}
        """${escape(about)}${details.length === 0 ? '' : `\n\n${details.join('\n')}\n        `}"""
${fillLines('        return self._call(', passed, ')')}
`
}

function printArgument(member: Member): string {
  // The method `list` hides the type of that name.
  const type = printType(member.type).replace(/^list/, 'Sequence')
  const name = snake(member.name)
  if (member.nullable) return `${name}: ${type} | None | Omit = OMIT`
  return member.required ? `${name}: ${type}` : `${name}: ${type} | None = None`
}

/** What can be null is apart, because there `None` is not left out. */
function printBody(members: Member[]): string {
  const nullable = members.filter((each) => each.nullable)
  const others = members.filter((each) => !each.nullable)
  if (nullable.length === 0) return printDict('body=present({', others, '})')
  return `${printDict('body=present({', others, '}, ')}${printDict('{', nullable, '})')}`
}

function printDict(head: string, members: Member[], tail: string): string {
  const entries = members.map((each) => `"${each.name}": ${snake(each.name)}`)
  return fillLines(`            ${head}`, entries, tail).trimStart()
}

function printPath(path: string): string {
  return path.includes('{')
    ? `self._path("${path}", ${[...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param).join(', ')})`
    : `"${path}"`
}

function printCall({ id, method, path, retry, accept }: Operation): string {
  return `    "${id}": Call("${method}", "${path}", "${retry}"${accept === undefined ? '' : `, "${accept}"`}),`
}

function printType(type: Type): string {
  if (type.kind === 'model') return type.name
  if (type.kind === 'list') return `list[${printType(type.of)}]`
  if (type.kind === 'map') return `dict[str, ${printType(type.of)}]`
  return { string: 'str', integer: 'int', number: 'float', boolean: 'bool', any: 'Any' }[type.kind]
}

function modelsOf({ result }: Operation): string[] {
  return result.kind === 'model' ? [result.name] : []
}

function docstring(text: string): string {
  return `"""${escape(text)}"""`
}

function escape(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll(/"$/g, '\\"')
}
