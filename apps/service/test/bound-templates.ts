import { type Template, bindTemplate } from '@vidimus/protocol'
import { readBuiltInTemplates } from '../src/templates/built-in/read-built-in.ts'

/** The built-in templates as they are asked by whoever gives nothing but their keys. */
export function readBoundTemplates(): ReadonlyMap<string, Template> {
  return new Map(
    [...readBuiltInTemplates()].map(([key, saved]) => {
      const bound = bindTemplate(saved)
      if ('violation' in bound) throw new Error(`${key}: ${bound.violation.rule}`)
      return [key, bound.template]
    }),
  )
}
