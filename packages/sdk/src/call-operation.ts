import { operations } from './operations.ts'
import type { Connection } from './send.ts'
import type { Operations } from './types.ts'
import type { CallOptions } from './verifications.ts'

export type OperationName = keyof Operations
/** The parameters of the path, with `query` and `body`. */
export type OperationInput<Name extends OperationName> = Operations[Name]['input']
export type OperationResult<Name extends OperationName> = Operations[Name]['result']

/** The input can be left out if none of it is required. */
type Arguments<Input> =
  Partial<Input> extends Input
    ? [input?: Input, options?: CallOptions]
    : [input: Input, options?: CallOptions]

/** Calls an operation that manages templates, settings, trust, clients, keys or logs, by its name in the API reference. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  ...args: Arguments<OperationInput<Name>>
) => Promise<OperationResult<Name>>

type AnyInput = {
  query?: Record<string, string | number | boolean | undefined> | undefined
  body?: unknown
  [param: string]: unknown
}

export function createCallOperation({ call }: Connection, bearer: string): CallOperation {
  return async (name, ...[input = {}, { signal } = {}]) => {
    const { query = {}, body, ...params }: AnyInput = input
    const { path, ...request } = operations[name]
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, param: string) => {
      const value = params[param]
      if (typeof value !== 'string' || value === '') throw new TypeError(`${name} needs ${param}.`)
      return encodeURIComponent(value)
    })
    const search = new URLSearchParams()
    for (const [key, value] of Object.entries(query)) if (value !== undefined) search.set(key, String(value))
    return call({
      ...request,
      path: search.size === 0 ? filled : `${filled}?${search.toString()}`,
      bearer,
      body,
      signal,
    })
  }
}
