import { pick, type Edit } from './edit.ts'

type Change = (bytes: Buffer, at: number, edit: Edit) => Buffer

/** Flips, replaces, removes, inserts, repeats, moves or truncates bytes. */
export function mutateBytes(bytes: Buffer, edit: Edit): Buffer {
  return pick(changes, edit.what)(bytes, edit.where % (bytes.length + 1), edit)
}

const changes: Change[] = [
  (bytes, at, { value }) => replace(bytes, at, (byte) => byte ^ (1 << (value % 8))),
  (bytes, at, { value }) => replace(bytes, at, () => value & 0xff),
  (bytes, at, { length }) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
  (bytes, at, { value, length }) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(length, value & 0xff), bytes.subarray(at)]),
  (bytes, at, { length }) =>
    Buffer.concat([
      bytes.subarray(0, at + length),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ]),
  (bytes, at, { length, value }) => {
    const cut = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    const to = value % (cut.length + 1)
    return Buffer.concat([cut.subarray(0, to), bytes.subarray(at, at + length), cut.subarray(to)])
  },
  (bytes, at) => bytes.subarray(0, at),
]

function replace(bytes: Buffer, at: number, change: (byte: number) => number): Buffer {
  const copy = Buffer.from(bytes)
  if (at < copy.length) copy[at] = change(copy[at] ?? 0)
  return copy
}
