import { pick, type Edit } from './edit.ts'

type Holder = unknown[] | Record<string, unknown>
type Place = { holder: Holder; key: string | number }

/** Changes one member or element somewhere in a JSON value; the value itself when it has none. */
export function mutateJson(value: unknown, edit: Edit): unknown {
  const copy: unknown = structuredClone(value)
  const places = listPlaces(copy)
  if (places.length === 0) return pick(fillers, edit.value)
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

const fillers: readonly unknown[] = [
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

function change({ holder, key }: Place, { what, value, where }: Edit): void {
  const current: unknown = Reflect.get(holder, key)
  const others = Object.keys(holder)
  switch (what % 6) {
    case 0:
      Reflect.set(holder, key, pick(fillers, value))
      break
    case 1:
      if (Array.isArray(holder)) holder.splice(Number(key), 1)
      else Reflect.deleteProperty(holder, key)
      break
    case 2:
      if (Array.isArray(holder)) holder.push(current)
      else Reflect.set(holder, pick(names, value), current)
      break
    case 3:
      Reflect.set(holder, key, [current])
      break
    case 4: {
      const other = pick(others, where + value)
      const swapped: unknown = Reflect.get(holder, other)
      Reflect.set(holder, other, current)
      Reflect.set(holder, key, swapped)
      break
    }
    default:
      Reflect.set(
        holder,
        key,
        typeof current === 'number' ? current + (value % 3) - 1 : `${String(current)}x`,
      )
  }
}

function listPlaces(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Holder
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...listPlaces(Reflect.get(holder, key))])
}

function nest(depth: number): unknown {
  return depth === 0 ? [] : [nest(depth - 1)]
}
