import { pick, type Edit } from './edit.ts'

type Container = unknown[] | Record<string, unknown>
type MemberPlace = { container: Container; key: string | number }

/** Changes one member or element anywhere in a JSON value, or the value itself if it has none. */
export function mutateJson(value: unknown, edit: Edit): unknown {
  const copy: unknown = structuredClone(value)
  const places = listPlaces(copy)
  if (places.length === 0) return pick(replacements, edit.value)
  change(pick(places, edit.where), edit)
  return copy
}

const names = [
  '_sd',
  '...',
  '_sd_alg',
  'cnf',
  'vct',
  'exp',
  'nbf',
  'iss',
  'status',
  'jwk',
  'x5c',
  'crit',
  'given_name',
]

const replacements: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  '',
  'x',
  'ES256',
  'none',
  '\u0000',
  '\uD800',
  [],
  {},
  [[]],
  { '...': 'x' },
  { _sd: ['x'] },
  { __proto__: null, admin: true },
  'y'.repeat(5_000),
  nest(100),
]

function change({ container, key }: MemberPlace, { what, value, where }: Edit): void {
  const current: unknown = Reflect.get(container, key)
  const others = Object.keys(container)
  switch (what % 6) {
    case 0:
      Reflect.set(container, key, pick(replacements, value))
      break
    case 1:
      if (Array.isArray(container)) container.splice(Number(key), 1)
      else Reflect.deleteProperty(container, key)
      break
    case 2:
      if (Array.isArray(container)) container.push(current)
      else Reflect.set(container, pick(names, value), current)
      break
    case 3:
      Reflect.set(container, key, [current])
      break
    case 4: {
      const other = pick(others, where + value)
      const swapped: unknown = Reflect.get(container, other)
      Reflect.set(container, other, current)
      Reflect.set(container, key, swapped)
      break
    }
    default:
      Reflect.set(
        container,
        key,
        typeof current === 'number' ? current + (value % 3) - 1 : `${String(current)}x`,
      )
  }
}

function listPlaces(value: unknown): MemberPlace[] {
  if (typeof value !== 'object' || value === null) return []
  const container = value as Container
  return Object.keys(container).flatMap((key) => [
    { container, key },
    ...listPlaces(Reflect.get(container, key)),
  ])
}

function nest(depth: number): unknown {
  return depth === 0 ? [] : [nest(depth - 1)]
}
