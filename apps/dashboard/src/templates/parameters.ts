import { checkParameters, resolveValues, substitute, type Parameters } from '@vidimus/protocol/parameters'
import { asObject, type Template } from './compose.ts'

export type GivenParameter = Exclude<Parameters[string], { by: string }> & { name: string }

/** The parameters that whoever creates a verification gives. */
export function listGivenParameters({ parameters }: Template): GivenParameter[] {
  if (!areParameters(parameters)) return []
  return Object.entries(parameters).flatMap(([name, each]) => ('by' in each ? [] : [{ ...each, name }]))
}

/** The value that a form starts with. */
export function initialValue(parameter: GivenParameter): string | number {
  if (parameter.default !== undefined) return parameter.default
  return parameter.type === 'integer' ? parameter.min : (parameter.enum[0] ?? '')
}

/** The template with values for its parameters, as a wallet would be asked; without any that are not valid. */
export function bindSample(template: Template): Template {
  const { parameters, ...body } = template
  if (!areParameters(parameters)) return template
  const given = listGivenParameters(template).map((each) => [each.name, initialValue(each)])
  const resolved = resolveValues(parameters, Object.fromEntries(given))
  return 'values' in resolved ? { ...(substitute(body, resolved.values) as Template) } : template // an object stays one
}

/** The claims that a creation says what is expected of. */
export function listCompared({ derive }: Template): string[] {
  const compared = Object.values(asObject(derive))
    .map(asObject)
    .flatMap(({ from, matches }) => (typeof from === 'string' && matches !== undefined ? [from] : []))
  return [...new Set(compared)]
}

function areParameters(parameters: unknown): parameters is Parameters {
  return parameters !== undefined && checkParameters(parameters).length === 0
}
