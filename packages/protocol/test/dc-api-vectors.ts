import { readFileSync } from 'node:fs'

type VectorMembers = Record<string, string>

type DcApiVector = {
  id: string
  input: VectorMembers
  expected: VectorMembers
  response?: VectorMembers
  data?: VectorMembers
}

const file = new URL('./dc-api-vectors.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: DcApiVector[] } // our own file

/** A published vector by its id. The file names the source of each. */
export function dcApiVector(id: string): DcApiVector {
  const vector = vectors.find((each) => each.id === id)
  if (vector === undefined) throw new Error(`no such vector: ${id}`)
  return vector
}
